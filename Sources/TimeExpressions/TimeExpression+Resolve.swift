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
    if let name {
      if isAbbreviation(of: caller) { return caller }
      return try zone(name, caller: caller, lookup: lookup)
    }
    if let offset, let fixed = TimeZoneRules(fixedOffsetSeconds: offset) {
      return offset == 0 ? .utc : fixed
    }
    return caller
  }

  /// An abbreviation in use in the caller's zone, not the name of that zone itself.
  func isAbbreviation(of caller: TimeZoneRules) -> Bool {
    guard let name, name.text != caller.name else { return false }
    return caller.abbreviations.contains(name.text)
  }

  private func zone(
    _ name: Located, caller: TimeZoneRules,
    lookup: (String) throws(TimeZoneError) -> TimeZoneRules
  ) throws(TimeExpressionError) -> TimeZoneRules {
    if name.text == caller.name { return caller }
    if ["UTC", "GMT"].contains(name.text.uppercased()) {
      return TimeZoneRules.utc.named(name.text.uppercased())
    }
    // tzdata has zones of these names, but who writes CET in July does not mean CEST.
    if ["CET", "EET", "EST", "HST", "MET", "MST", "WET"].contains(name.text) {
      throw name.refusal(
        .ambiguous, "'\(name.text)' is an abbreviation, which zones share and change",
        hint: "write a zone as Europe/Berlin or an offset as +01:00")
    }
    do {
      return try lookup(name.text)
    } catch {
      throw name.refusal(.zone, "zone '\(name.text)': \(error.problem)", hint: error.hint)
    }
  }
}

extension TimeZoneRules {
  /// All abbreviations of the zone, past and future.
  var abbreviations: Set<String> {
    var result = Set(types.map(\.abbreviation))
    if let footer {
      result.insert(footer.standard.abbreviation)
      if let daylight = footer.daylight { result.insert(daylight.type.abbreviation) }
    }
    return result
  }
}
