import { encode } from "uqr"

/** A QR code as squares of side 1: `true` is dark. The quiet zone of four squares is part of it. */
export type QrMatrix = ReadonlyArray<ReadonlyArray<boolean>>

/** The code of a text. About 15 percent of it may be dirty or torn. */
export const qrOf = (text: string): QrMatrix => encode(text, { ecc: "M", border: 4 }).data

/** The dark squares as the path of a drawing, row by row, each run of them as one rectangle. */
export const qrPath = (matrix: QrMatrix): string => {
  let path = ""
  for (const [y, row] of matrix.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const start = x
      while (row[x + 1] === true) x++
      const length = x + 1 - start
      path += `M${start} ${y}h${length}v1h-${length}z`
    }
  }
  return path
}
