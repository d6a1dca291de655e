import { sumsOfFile } from "./PageCheck.ts"
import { PageSums, type SumsHeader } from "./PageSums.ts"
import { newOrigin } from "./Token.ts"
import type { TokenTable } from "./TokenTable.ts"

/** Takes the database, whose file is open as `descriptor`, as it is: writes the checksums of all its pages into `sumsFile`. */
export const freshSums = (
  sumsFile: string,
  descriptor: number,
  tokens: TokenTable,
  pageSize: number
): { readonly header: SumsHeader; readonly sums: PageSums } => {
  const token = { origin: newOrigin(), count: 0 }
  tokens.write(token)
  const sums = sumsOfFile(descriptor, pageSize)
  const header = { pageSize, pageCount: sums.length, token, mark: null }
  return { header, sums: PageSums.write(sumsFile, header, sums) }
}
