/** Shorter ids occur inside words and dates by chance: they count only where they stand alone. */
const shortest = 6

const holds = (value: unknown, id: string): boolean => {
  if (typeof value === "string") return value === id || (id.length >= shortest && value.includes(id))
  if (typeof value === "number") return String(value) === id
  if (Array.isArray(value)) return value.some((each) => holds(each, id))
  if (typeof value !== "object" || value === null) return false
  return Object.entries(value).some(([name, each]) => holds(name, id) || holds(each, id))
}

/** Whether a JSON document names a unit: as a text, as a number, as a name, or, from six characters on, inside a text or name. */
export const mentions = (json: string, unitId: string): boolean =>
  json.includes(JSON.stringify(unitId).slice(1, -1)) && holds(JSON.parse(json), unitId)
