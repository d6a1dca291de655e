interface Page<A> {
  readonly value: A
  readonly bytes: number
}

/** Values by key, as many as fit into so many bytes; what was asked for longest ago goes first. */
export class AnswerBook<A> {
  private readonly pages = new Map<string, Page<A>>()
  private readonly capacity: number
  private used = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get(key: string): A | undefined {
    const page = this.pages.get(key)
    if (page === undefined) return undefined
    this.pages.delete(key)
    this.pages.set(key, page)
    return page.value
  }

  /** A value that would fill the book alone is not kept. */
  put(key: string, value: A, bytes: number): void {
    this.remove(key)
    if (bytes > this.capacity) return
    this.pages.set(key, { value, bytes })
    this.used += bytes
    for (const oldest of this.pages.keys()) {
      if (this.used <= this.capacity) return
      this.remove(oldest)
    }
  }

  remove(key: string): void {
    this.used -= this.pages.get(key)?.bytes ?? 0
    this.pages.delete(key)
  }

  get bytes(): number {
    return this.used
  }
}
