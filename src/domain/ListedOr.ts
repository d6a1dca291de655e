/** Texts of which one is meant, as a sentence lists them: "a", "a or b", "a, b or c". */
export const listedOr = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1) ?? ""}`
