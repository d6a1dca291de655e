/** Where a text stops being JSON, counted from 1 as editors do, and what was expected there. */
export interface JsonPlace {
  readonly line: number
  readonly column: number
  readonly expected: string
}

const blank = /[\t\n\r ]*/y
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y // oxlint-disable-line no-control-regex -- RFC 8259, 7
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** What may come next: `first` is a value or the end of an empty list, `field` a name or the end of an empty object. */
type Next = "value" | "first" | "field" | "name" | "colon" | "after"

const wanted: Record<Exclude<Next, "after">, string> = {
  value: "a value",
  first: "a value or ]",
  field: "a name in double quotes or }",
  name: "a name in double quotes",
  colon: "a colon"
}

/** The end of what the expression matches at the place; undefined where it does not. */
const endOf = (expression: RegExp, json: string, at: number): number | undefined => {
  expression.lastIndex = at
  return expression.test(json) ? expression.lastIndex : undefined
}

/** A walk over the tokens of a text, which ends at its first fault or at its end. */
class Walk {
  at = 0
  next: Next = "value"
  /** What closes each list and object that has not ended yet. */
  readonly open: Array<"]" | "}"> = []
  private readonly json: string

  constructor(json: string) {
    this.json = json
  }

  get expected(): string {
    if (this.next !== "after") return wanted[this.next]
    const end = this.open.at(-1)
    return end === undefined ? "nothing more" : `a comma or ${end}`
  }

  skipBlanks(): void {
    this.at = endOf(blank, this.json, this.at) ?? this.at
  }

  private move(to: number | undefined, next: Next): boolean {
    if (to === undefined) return false
    this.at = to
    this.next = next
    return true
  }

  private close(): boolean {
    this.open.pop()
    return this.move(this.at + 1, "after")
  }

  private begin(end: "]" | "}", next: Next): boolean {
    this.open.push(end)
    return this.move(this.at + 1, next)
  }

  /** Takes the token at the place; false where there is none that may stand there. */
  take(): boolean {
    const [first, end] = [this.json[this.at], this.open.at(-1)]
    switch (this.next) {
      case "after":
        if (end !== undefined && first === end) return this.close()
        return first === "," && end !== undefined && this.move(this.at + 1, end === "]" ? "value" : "name")
      case "colon":
        return first === ":" && this.move(this.at + 1, "value")
      case "field":
      case "name":
        if (this.next === "field" && first === "}") return this.close()
        return this.move(endOf(text, this.json, this.at), "colon")
      case "first":
      case "value":
        if (this.next === "first" && first === "]") return this.close()
        if (first === "[") return this.begin("]", "first")
        if (first === "{") return this.begin("}", "field")
        return this.move(endOf(first === '"' ? text : scalar, this.json, this.at), "after")
    }
  }
}

/** Where the text stops being JSON (RFC 8259); null where it is JSON. What engines say of it differs, and often names no place. */
export const jsonFault = (json: string): JsonPlace | null => {
  const walk = new Walk(json)
  for (walk.skipBlanks(); walk.at < json.length; walk.skipBlanks()) if (!walk.take()) break
  const { at, expected } = walk
  if (at === json.length && expected === "nothing more") return null
  const lines = json.slice(0, at).split("\n")
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, expected }
}
