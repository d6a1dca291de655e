/** What the texts of a storage may take, in characters: a server of a game asks for its configuration for one player after the other. */
const mostCharacters = 4 * 1024 * 1024

/** How long each text is, by its name; what was written longest ago comes first. */
export class TextLengths {
  private readonly lengths: Map<string, number>
  private characters = 0

  constructor(lengths: Iterable<readonly [name: string, length: number]> = []) {
    this.lengths = new Map(lengths)
    for (const length of this.lengths.values()) this.characters += length
  }

  entries(): Iterable<readonly [name: string, length: number]> {
    return this.lengths
  }

  /** Notes a text, which stays however long it is. Answers the names of those that go for it: what was written longest ago goes first. */
  add(name: string, length: number): ReadonlyArray<string> {
    this.take(name)
    this.lengths.set(name, length)
    this.characters += length
    const gone: Array<string> = []
    for (const oldest of this.lengths.keys()) {
      if (this.characters <= mostCharacters || oldest === name) break
      this.take(oldest)
      gone.push(oldest)
    }
    return gone
  }

  private take(name: string): void {
    this.characters -= this.lengths.get(name) ?? 0
    this.lengths.delete(name)
  }
}

/** Texts in memory, of which those that were written longest ago go once all of them take too much. */
export class KeptTexts {
  private readonly texts = new Map<string, string>()
  private readonly lengths = new TextLengths()

  /** Those that are kept, in the order in which they were written. */
  get entries(): ReadonlyArray<readonly [name: string, text: string]> {
    return [...this.texts]
  }

  get(name: string): string | null {
    return this.texts.get(name) ?? null
  }

  set(name: string, text: string): void {
    this.texts.delete(name)
    this.texts.set(name, text)
    for (const gone of this.lengths.add(name, text.length)) this.texts.delete(gone)
  }
}
