extension TimeExpression {
  /// What the expression means.
  ///
  /// - Parameters:
  ///   - now: the base time, microseconds since 1970, UTC.
  ///   - zone: the zone of whatever names none.
  ///   - zones: finds the zones that expressions name; `UTC` and `GMT` are known without it.
  /// - Throws: dates outside 1970 to 9999, contradictions between offset and zone, unknown zones.
  public func resolve(
    now: Int64, zone: TimeZoneRules,
    zones: (String) throws(TimeZoneError) -> TimeZoneRules = { name throws(TimeZoneError) in
      throw .unknown(name)
    }
  ) throws(TimeExpressionError) -> ResolvedTime {
    switch form {
    case .span(let terms, let place):
      let (sum, overflow) = now.addingReportingOverflow(terms.total)
      guard !overflow, sum <= Instant.last else {
        throw place.refusal(
          .outOfRange, "'\(place.text)' from now lies after the year 9999",
          hint: Instant.rangeHint)
      }
      return .span(microseconds: terms.total)
    case .point(let point):
      let resolver = PointResolver(
        point: point, now: now, callerZone: zone,
        zone: try point.zone.rules(caller: zone, lookup: zones))
      return .date(try resolver.resolve())
    }
  }
}

extension ZoneMark {
  /// The rules to read the expression by: the named zone's, the offset's, or the caller's.
  fileprivate func rules(
    caller: TimeZoneRules, lookup: (String) throws(TimeZoneError) -> TimeZoneRules
  ) throws(TimeExpressionError) -> TimeZoneRules {
    if let name, let namePlace {
      if isAbbreviation(of: caller) { return caller }
      return try zone(name, place: namePlace, caller: caller, lookup: lookup)
    }
    if let offset, let fixed = TimeZoneRules(fixedOffsetSeconds: offset) {
      return offset == 0 ? .utc : fixed
    }
    return caller
  }

  /// An abbreviation in use in the caller's zone, even if zones have that name too.
  func isAbbreviation(of caller: TimeZoneRules) -> Bool {
    guard let name else { return false }
    return caller.hasAbbreviation(name)
  }

  private func zone(
    _ name: String, place: Located, caller: TimeZoneRules,
    lookup: (String) throws(TimeZoneError) -> TimeZoneRules
  ) throws(TimeExpressionError) -> TimeZoneRules {
    if name == caller.name { return caller }
    if ["UTC", "GMT"].contains(name.uppercased()) {
      return TimeZoneRules.utc.named(name.uppercased())
    }
    // tzdata has zones of these names, but who writes CET in July does not mean CEST.
    if ["CET", "EET", "EST", "HST", "MET", "MST", "WET"].contains(name) {
      throw place.refusal(
        .ambiguous, "'\(place.text)' is an abbreviation, which zones share and change",
        hint: "write a zone as Europe/Berlin or an offset as +01:00")
    }
    do {
      return try lookup(name)
    } catch {
      throw place.refusal(.zone, "zone '\(place.text)': \(error.problem)", hint: error.hint)
    }
  }
}

extension TimeZoneRules {
  /// Whether the zone has this abbreviation, in the past, now or in the future.
  func hasAbbreviation(_ name: String) -> Bool {
    types.contains { $0.abbreviation == name } || footer?.standard.abbreviation == name
      || footer?.daylight?.type.abbreviation == name
  }
}
