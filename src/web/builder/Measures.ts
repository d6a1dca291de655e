/** What a metric counts of its markers, in the words of the page; each is a measure of the API. */
export const measures = [
  { value: "uniqueUsers", label: "Players who did it", phrase: "Players with", help: "Each player counts once" },
  { value: "totalEvents", label: "Times it happened", phrase: "Number of", help: "Every marker counts" },
  {
    value: "firstTimeUsers",
    label: "Players' first time",
    phrase: "First-time players of",
    help: "Players who had never done it before"
  },
  {
    value: "dau",
    label: "Active players, per day",
    phrase: "Daily active players of",
    help: "Players of the step's last day"
  },
  {
    value: "wau",
    label: "Active players, 7 days",
    phrase: "Weekly active players of",
    help: "Players of the 7 days before"
  },
  {
    value: "mau",
    label: "Active players, 30 days",
    phrase: "Monthly active players of",
    help: "Players of the 30 days before"
  },
  { value: "totalSessions", label: "Sessions with it", phrase: "Sessions with", help: "Each session counts once" },
  {
    value: "frequencyPerUser",
    label: "Times per player",
    phrase: "Times per player of",
    help: "Times divided by players"
  },
  {
    value: "frequencyPerSession",
    label: "Times per session",
    phrase: "Times per session of",
    help: "Times divided by sessions"
  },
  { value: "sum", label: "Sum of", phrase: "Sum of", help: "All values added", needsArgument: true },
  { value: "average", label: "Average of", phrase: "Average", help: "Sum divided by times", needsArgument: true },
  {
    value: "median",
    label: "Median of",
    phrase: "Median",
    help: "Half of the values are below it",
    needsArgument: true
  },
  { value: "min", label: "Lowest", phrase: "Lowest", help: "The smallest value", needsArgument: true },
  { value: "max", label: "Highest", phrase: "Highest", help: "The largest value", needsArgument: true },
  {
    value: "sumPerUser",
    label: "Sum per player of",
    phrase: "Sum per player of",
    help: "Sum divided by players",
    needsArgument: true
  },
  {
    value: "averagePerUser",
    label: "Average per player of",
    phrase: "Average per player of",
    help: "Mean of each player's average",
    needsArgument: true
  }
] as const

export type MeasureName = (typeof measures)[number]["value"]

/** Measures of an argument, which cannot be asked without one. */
export type ArgumentMeasure = Extract<(typeof measures)[number], { readonly needsArgument: true }>["value"]

const argumentMeasures: ReadonlySet<string> = new Set(
  measures.filter((measure) => "needsArgument" in measure).map(({ value }) => value)
)

export const needsArgument = (measure: MeasureName): measure is ArgumentMeasure => argumentMeasures.has(measure)

export const measureOf = (text: string | undefined): MeasureName =>
  measures.find(({ value }) => value === text)?.value ?? "uniqueUsers"
