/// Takes `Command=` apart, as a shell would without doing any of the rest of what shells do.
enum CommandWords {
  /// Words are parted by blanks; `"…"` and `'…'` hold blanks together. Each may have fields, which
  /// never make two words of one; the first, the program, may not.
  static func parse(_ text: String) throws(TemplateError) -> [Template] {
    var words: [Template] = []
    let characters = Array(text)
    var place = 0
    while place < characters.count {
      if characters[place].isWhitespace {
        place += 1
        continue
      }
      let start = place
      var word = ""
      // Where each character of the word stands, for the column of an error.
      var places: [Int] = []
      var quote: (mark: Character, at: Int)?
      var depth = 0
      while place < characters.count {
        let character = characters[place]
        if character == "\\", place + 1 < characters.count {
          word += [character, characters[place + 1]]
          places += [place, place + 1]
          place += 2
          continue
        }
        if depth == 0, let open = quote, character == open.mark {
          quote = nil
        } else if depth == 0, quote == nil, character == "\"" || character == "'" {
          quote = (character, place)
        } else if depth == 0, quote == nil, character.isWhitespace {
          break
        } else {
          if character == "{" { depth += 1 }
          if character == "}" { depth = max(0, depth - 1) }
          word.append(character)
          places.append(place)
        }
        place += 1
      }
      if let quote {
        throw TemplateError(offset: quote.at, message: "\(quote.mark) is not closed by another")
      }
      let template: Template
      do throws(TemplateError) {
        template = try Template(parsing: word)
      } catch {
        let offset = error.offset < places.count ? places[error.offset] : place
        throw TemplateError(offset: offset, message: error.message)
      }
      if words.isEmpty, template.hasFields {
        throw TemplateError(
          offset: start, message: "the program must stand there as it is, without a field")
      }
      words.append(template)
    }
    return words
  }
}
