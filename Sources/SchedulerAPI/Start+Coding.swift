public import JSON
public import LiveActivity

private enum Key: Int, FieldKey {
  case at, afterUSec, local, zone, floating, ofTwo
  static let names = fieldNames()
}

/// `Start`: exactly one of a date, a span and a wall time.
struct GivenStart {
  var moment: Moment?
  var wall: WallStart?
}

func decodeStart(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> GivenStart {
  let fields = try FieldReader<Key>(node, context)
  let moment = try fields.moment(.at, .afterUSec)
  try fields.exclude(moment != nil, .local)
  guard let local = try fields.string(.local) else {
    guard let moment else { throw context.invalid(node) }
    // These say more of a wall time only.
    for key in [Key.zone, .floating, .ofTwo] { try fields.exclude(true, key) }
    return GivenStart(moment: moment)
  }
  return GivenStart(wall: try wallStart(local, fields))
}

private func wallStart(
  _ local: String, _ fields: borrowing FieldReader<Key>
) throws(SchedulerError) -> WallStart {
  let isFloating = try fields.bool(.floating) ?? false
  let ofTwo: OfTwo? = try fields.choice(.ofTwo)
  try fields.exclude(isFloating, .zone)
  let zone = try fields.string(.zone)
  // Whatever is longer is no wall time and no zone's name (NAME_MAX), and is not to be kept.
  guard local.utf8.count <= 64 else { throw fields.invalid(.local) }
  guard zone.map({ (1...255).contains($0.utf8.count) }) != false else {
    throw fields.invalid(.zone)
  }
  return WallStart(
    local: local, zone: zone, isFloating: isFloating, isSecond: ofTwo == .second)
}

private enum LocalKey: Int, FieldKey {
  case local, zone, floating, ofTwo, tzdata, movedUSec, twice
  static let names = fieldNames()
}

func decodeLocalStart(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> LocalStart {
  let fields = try FieldReader<LocalKey>(node, context)
  let ofTwo: OfTwo? = try fields.choice(.ofTwo)
  return LocalStart(
    WallStart(
      local: try fields.required(.local, fields.string(.local)),
      zone: try fields.required(.zone, fields.string(.zone)),
      isFloating: try fields.required(.floating, fields.bool(.floating)),
      isSecond: ofTwo == .second),
    tzdata: try fields.string(.tzdata), movedMicroseconds: try fields.int(.movedUSec),
    isTwice: try fields.bool(.twice) ?? false)
}

extension LocalStart {
  /// Reads what `member` wrote. Throws where it is not that, as out of a damaged store.
  public init(decoding node: JSONNode) throws(SchedulerError) {
    self = try decodeLocalStart(node, DecodingContext(root: node, isCall: false))
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ wall: WallStart?) {
    guard let wall else { return }
    object(name) { writer in
      writer.member("local", wall.local)
      writer.member("zone", wall.zone)
      writer.flag("floating", wall.isFloating)
      if wall.isSecond { writer.member("ofTwo", OfTwo.second) }
    }
  }

  /// A member with the interface's `LocalStart`; none for nil.
  public mutating func member(_ name: StaticString, _ start: LocalStart?) {
    guard let start else { return }
    object(name) { writer in
      writer.member("local", start.wall.local)
      writer.member("zone", start.wall.zone)
      writer.member("floating", start.wall.isFloating)
      if start.wall.isSecond || start.isTwice {
        writer.member("ofTwo", start.wall.isSecond ? OfTwo.second : .first)
      }
      writer.member("tzdata", start.tzdata)
      writer.member("movedUSec", start.movedMicroseconds)
      writer.flag("twice", start.isTwice)
    }
  }
}
