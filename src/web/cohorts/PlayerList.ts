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

/** The first cell of a line, which ends with a comma, semicolon or tab, unless it is in quotes. */
const firstCell = (line: string): string => {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]
  return withoutGuard(quoted?.replaceAll('""', '"') ?? (/^[^,;\t]*/.exec(line)?.[0] ?? "").trim())
}

/** Reads a list of ids: one a line, or the first column of a CSV. A heading such as "player id" is passed over. */
export const playerListOf = (text: string): PlayerList => {
  const cells = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ cell: firstCell(line), number: index + 1 }))
    .filter(({ cell }) => cell !== "")
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
