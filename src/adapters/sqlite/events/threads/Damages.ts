/** What is damaged, each thing told once. */
export class Damages {
  private readonly told = new Set<string>()
  private readonly tell: (message: string) => void

  constructor(tell: (message: string) => void) {
    this.tell = tell
  }

  get count(): number {
    return this.told.size
  }

  report(message: string): void {
    if (this.told.has(message)) return
    this.told.add(message)
    this.tell(message)
  }
}
