/**
 * A text as searches compare it: in any case, and without accents. Lower case alone knows no Turkish, whose İ becomes an i with a dot above it,
 * so that nobody would find it by an i.
 */
export const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i")

/** Whether one of a row's texts, or all of them one after the other, have what somebody searches for. */
export const isFound = (search: string, ...texts: ReadonlyArray<string | null | undefined>): boolean =>
  folded(texts.map((text) => text ?? "").join(" ")).includes(folded(search.trim()))
