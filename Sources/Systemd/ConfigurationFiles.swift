extension Configuration {
  /// More than any honest file.
  static let longestFile = 1 << 20

  /// Reads one file alone, as `--config=FILE` asks.
  public static func load(file: String) throws(SystemError) -> Configuration {
    var configuration = Configuration()
    configuration.read(try Files.read(file, limit: longestFile), file: file)
    return configuration
  }

  /// Reads `name` and its drop-ins from directories, the one of highest priority first;
  /// systemd-system.conf(5).
  ///
  /// The first directory that has `name` gives the main file. Over it come all `NAME.d/*.conf`,
  /// sorted by file name whatever their directory; of those with one name only the one of highest
  /// priority counts, and a link to /dev/null counts as empty. What cannot be read is a warning.
  public static func load(name: String, directories: [String]) -> Configuration {
    var configuration = Configuration()
    for directory in directories {
      let path = "\(directory)/\(name)"
      if let kind = configuration.kind(path) {
        // Anything else, a link to /dev/null above all, hides those below.
        if kind == .regular { configuration.readFile(path) }
        break
      }
    }
    for path in configuration.dropIns("\(name).d", directories) { configuration.readFile(path) }
    return configuration
  }

  private mutating func dropIns(_ folder: String, _ directories: [String]) -> [String] {
    var chosen: [String: String] = [:]
    var masked: Set<String> = []
    for directory in directories {
      for name in names(in: "\(directory)/\(folder)") {
        guard name.hasSuffix(".conf"), !name.hasPrefix("."), chosen[name] == nil,
          !masked.contains(name)
        else { continue }
        let path = "\(directory)/\(folder)/\(name)"
        switch kind(path) {
        case .regular: chosen[name] = path
        case .characterDevice: masked.insert(name)
        default: break
        }
      }
    }
    // By bytes, as strcmp does, not by the rules of a language.
    return chosen.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  private mutating func names(in directory: String) -> [String] {
    guard kind(directory) == .directory else { return [] }
    do throws(SystemError) { return try Files.list(directory) } catch {
      warn(directory, error)
      return []
    }
  }

  private mutating func kind(_ path: String) -> FileKind? {
    do throws(SystemError) { return try FileKind.of(path) } catch {
      warn(path, error)
      return nil
    }
  }

  private mutating func readFile(_ path: String) {
    do throws(SystemError) {
      read(try Files.read(path, limit: Self.longestFile), file: path)
    } catch {
      warn(path, error)
    }
  }

  private mutating func warn(_ path: String, _ error: SystemError) {
    warnings.append(
      ConfigurationWarning(file: path, line: nil, message: "\(error.reason); ignored"))
  }
}
