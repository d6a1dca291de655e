/** What a pressed key means; undefined where it means nothing, or stands in a command of the browser, as Alt and the left arrow, which go back. */
export const meaningOf = <Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">
): Meaning | undefined => (altKey || ctrlKey || metaKey ? undefined : meanings[key])
