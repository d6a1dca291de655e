/** A value of an argument or property as people read it. */
export const valueText = (value: unknown): string =>
  value === undefined || value === null || value === ""
    ? "–"
    : Array.isArray(value)
      ? value.map(String).join(", ")
      : String(value)
