/** A text as a page shows it, and as it is typed by who reads it there: blanks in a row are one. */
export const asRead = (text: string): string => text.trim().replaceAll(/\s+/g, " ")
