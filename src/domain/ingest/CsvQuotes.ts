import { Either } from "effect"

/** Most bytes that a cell in quotes may have: a quote that never closes would make one cell of the rest of a file. */
export const mostQuotedBytes = 4 * 1024 * 1024

/** Where reading CSV stands: before a cell, in one without quotes, in one with quotes, behind its closing quote, or in UTF-16, which nobody looks at. */
type Place = "before" | "plain" | "quoted" | "behind" | "foreign"

/** What was seen of a CSV file so far. Lines are counted from 1. */
export interface QuotesSeen {
  readonly place: Place
  readonly line: number
  /** The line in which the last quote opened. */
  readonly openedIn: number
  /** Bytes since that quote. */
  readonly quotedBytes: number
  /** Whether the last byte was a carriage return, which makes one end of a line with a line feed behind it. */
  readonly isReturned: boolean
}

export const nothingSeen: QuotesSeen = { place: "before", line: 1, openedIn: 1, quotedBytes: 0, isReturned: false }

const quote = 0x22
const comma = 0x2c
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The bytes of a byte order mark: of UTF-8 all three of them, of UTF-16 the last, which UTF-8 never has. */
const isMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf
const foreignByte = 0xff

/** Whether a file of these first bytes is UTF-16BE, which the parser cannot read. */
const isBigEndian = ([first, second]: Uint8Array): boolean => first === 0xfe && second === foreignByte

const neverCloses = ({ openedIn }: Pick<QuotesSeen, "openedIn">): string =>
  `the quote that opens in line ${openedIn} never closes`

/** What is wrong with quotes at the end of the file; undefined where nothing is. */
export const faultAtEnd = (seen: QuotesSeen): string | undefined =>
  seen.place === "quoted" ? neverCloses(seen) : undefined

/**
 * Goes over the next bytes of a CSV file in an encoding that contains ASCII, with commas between cells and quotes doubled within quotes (RFC 4180).
 * Fails with a clause about the first quote that is wrong, which names its line.
 */
export const seeQuotes = (seen: QuotesSeen, bytes: Uint8Array): Either.Either<QuotesSeen, string> => {
  if (seen === nothingSeen && isBigEndian(bytes)) return Either.left("it is UTF-16BE: save it as UTF-8")
  let { place, line, openedIn, quotedBytes, isReturned } = seen
  for (const byte of bytes) {
    if (place === "foreign") break
    if (place === "plain" && byte > comma) continue
    const isEnd = byte === lineFeed || byte === carriageReturn
    if (isEnd && !(byte === lineFeed && isReturned)) line++
    isReturned = byte === carriageReturn
    if (place === "quoted") {
      quotedBytes++
      if (byte === quote) place = "behind"
      else if (quotedBytes > mostQuotedBytes)
        return Either.left(
          `the quote that opens in line ${openedIn} does not close within ${mostQuotedBytes / 1024 / 1024} MiB`
        )
    } else if (isEnd || byte === comma) place = "before"
    else if (byte !== quote) {
      if (place === "behind")
        return Either.left(
          `a cell goes on behind its closing quote in line ${line}; its opening quote is in line ${openedIn}`
        )
      if (byte === foreignByte && place === "before" && line === 1) place = "foreign"
      else if (place === "plain" || !isMark(byte)) place = "plain"
    } else if (place === "plain") return Either.left(`a quote stands within a cell without quotes in line ${line}`)
    else if (place === "behind") place = "quoted"
    else {
      place = "quoted"
      openedIn = line
      quotedBytes = 0
    }
  }
  return Either.right({ place, line, openedIn, quotedBytes, isReturned })
}
