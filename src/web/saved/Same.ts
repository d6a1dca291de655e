/** What the API fills in where a question says nothing. */
const standards: Readonly<Record<string, string>> = {
  visible: "true",
  match: "all",
  step: "day",
  cumulative: "false",
  optional: "false",
  order: "ordered",
  breakdownAttribution: "first",
  startMode: "recurring",
  criterion: "on",
  window: "calendar",
  minimumOccurrences: "1",
  dateBy: "start"
}

/** Fields that change no number: names within the question, how it is drawn, how many groups are drawn. */
const ignored: ReadonlySet<string> = new Set(["id", "display", "breakdownLimit"])

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.entries(value).every(([key, each]) => ignored.has(key) || isStandard(key, each)))

const isStandard = (key: string, value: unknown): boolean => isEmpty(value) || standards[key] === String(value)

/** Whether two specifications ask the same: what one leaves out counts as the API fills it in. */
export const asksTheSame = (left: unknown, right: unknown, key = ""): boolean => {
  if (ignored.has(key)) return true
  if (left === undefined) return isStandard(key, right)
  if (right === undefined) return isStandard(key, left)
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, index) => asksTheSame(each, right[index]))
  }
  if (isRecord(left) && isRecord(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)])
    return [...keys].every((each) => asksTheSame(Reflect.get(left, each), Reflect.get(right, each), each))
  }
  return !isRecord(left) && !isRecord(right) && String(left) === String(right)
}
