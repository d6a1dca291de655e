const escape = 0x5c

/** Where a text begun at `at` ends: the place of its closing quote, or the length of `json`. */
export const endOfText = (json: string, at: number): number => {
  for (let end = json.indexOf('"', at + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === escape) escapes++
    if (escapes % 2 === 0) return end
  }
  return json.length
}
