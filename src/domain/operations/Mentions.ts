/** Shorter ids occur inside words and dates by chance: they count only where they stand alone. */
const shortest = 6

/** Whether a value of JSON names a unit: as a text, as a number, as a name, or, from six characters on, inside a text or name. */
export const namesUnit = (value: unknown, id: string): boolean => {
  if (typeof value === "string") return value === id || (id.length >= shortest && value.includes(id))
  if (typeof value === "number") return String(value) === id
  if (Array.isArray(value)) return value.some((each) => namesUnit(each, id))
  if (typeof value !== "object" || value === null) return false
  return Object.entries(value).some(([name, each]) => namesUnit(name, id) || namesUnit(each, id))
}

/** The same of a JSON document. */
export const mentions = (json: string, unitId: string): boolean =>
  json.includes(JSON.stringify(unitId).slice(1, -1)) && namesUnit(JSON.parse(json), unitId)
