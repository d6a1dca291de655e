/** The rows of a page, of which the last one stands for all behind it: a list may have become shorter. */
export const pageOfRows = <Row>(rows: ReadonlyArray<Row>, page: number, atOnce: number) => {
  const pages = Math.max(1, Math.ceil(rows.length / atOnce))
  const shown = Math.min(page, pages)
  return { rows: rows.slice((shown - 1) * atOnce, shown * atOnce), page: shown, pages }
}

/** A page as an address names it; the first one where it names none. */
export const pageNumber = (text: string | null): number => {
  const page = Number(text ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}
