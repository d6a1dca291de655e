import { hasCharacters } from "../../domain/Characters.ts"

/** Ids of players as they were pasted, or as a file has them. */
export interface PlayerList {
  /** Each once, in their order. */
  readonly ids: ReadonlyArray<string>
  readonly repeated: number
  /** Lines with more characters than an id may have, counted from 1. */
  readonly tooLong: ReadonlyArray<number>
  /** The first line, where it is a heading and no player. */
  readonly heading: string | null
}

/** A static cohort has at most this many members. */
export const mostPlayers = 100_000
const longestId = 256

const headings = /^(player|user|unit|account)?[ _-]?ids?$|^(player|user|unit|distinct[ _-]?id)s?$/i

/** Tables that this product writes put an apostrophe before what a spreadsheet would calculate, such as the ids of Firebase: `-Mx1`. */
const withoutGuard = (cell: string): string => cell.replace(/^'(?=[=+\-@＝＋－＠])/, "")

/** A cell in quotes, which other cells or the end of the line follow: a table may have line breaks in it. */
const quotedCell = / *"([^"]*(?:""[^"]*)*)" *(?=[,;\t\r\n]|$)/y

/** Any other cell, which ends where the next one or the next line begins. */
const plainCell = /[^,;\t\r\n]*/y

const lineBreak = /\r\n|\n|\r/g

const cellAt = (text: string, at: number): readonly [whole: string, content: string] => {
  quotedCell.lastIndex = plainCell.lastIndex = at
  const quoted = quotedCell.exec(text)
  if (quoted !== null) return [quoted[0], (quoted[1] ?? "").replaceAll('""', '"')]
  const plain = plainCell.exec(text)?.[0] ?? ""
  return [plain, plain.trim()]
}

/** Where the line ends that begins at `from`. Without quotes that is the next line break. */
const endOfLine = (text: string, from: number): number => {
  lineBreak.lastIndex = from
  const next = lineBreak.exec(text)?.index ?? text.length
  if (!text.slice(from, next).includes('"')) return next
  for (let at = from; ; at++) {
    at += cellAt(text, at)[0].length
    if (at >= text.length || text[at] === "\n" || text[at] === "\r") return at
  }
}

/** The first cell of each line, with the number of the line that it begins in, from 1. */
const firstCells = (text: string): ReadonlyArray<{ readonly cell: string; readonly number: number }> => {
  const cells: Array<{ readonly cell: string; readonly number: number }> = []
  let number = 1
  for (let at = 0; at < text.length;) {
    cells.push({ cell: withoutGuard(cellAt(text, at)[1]), number })
    const end = endOfLine(text, at)
    const next = end + (text.startsWith("\r\n", end) ? 2 : 1)
    number += text.slice(at, next).match(lineBreak)?.length ?? 0
    at = next
  }
  return cells
}

/** Reads a list of ids: one a line, or the first column of a CSV. A heading such as "player id" is passed over. */
export const playerListOf = (text: string): PlayerList => {
  const cells = firstCells(text.replace(/^\uFEFF/, "")).filter(({ cell }) => cell !== "")
  const [first] = cells
  const heading = first !== undefined && headings.test(first.cell) ? first.cell : null
  const given = heading === null ? cells : cells.slice(1)
  const ids = new Set(given.map(({ cell }) => cell))
  return {
    ids: [...ids],
    repeated: given.length - ids.size,
    tooLong: given.filter(({ cell }) => !hasCharacters(cell, 1, longestId)).map(({ number }) => number),
    heading
  }
}
