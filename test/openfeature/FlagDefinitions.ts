const flag = (defaultVariant: string | null, variants: object, more: object = {}) => ({
  variants,
  defaultVariant,
  ...more
})

const onOff = { on: true, off: false }
const texts = { greeting: "hi", parting: "bye" }
const integers = { one: 1, ten: 10 }
const floats = { tenth: 0.1, half: 0.5 }
const pictures = { showImages: true, title: "Check out these pics!", imagesPerPage: 100 }
const objects = { empty: {}, template: pictures }
const disabled = { state: "DISABLED" }

/** A flag whose variant `zero` is the least value of its type. */
const zeroOr = (zero: unknown, nonZero: unknown) => flag("zero", { zero, "non-zero": nonZero })

const zeros = {
  boolean: zeroOr(false, true),
  string: zeroOr("", "str"),
  integer: zeroOr(0, 1),
  float: zeroOr(0, 1),
  object: zeroOr({}, pictures)
}

const named = (suffix: string) =>
  Object.fromEntries(Object.entries(zeros).map(([type, each]) => [`${type}-${suffix}`, each]))

/** The flags that the public scenarios expect, and those of our own. */
export const definitions = {
  "boolean-flag": flag("on", onOff),
  "string-flag": flag("greeting", texts),
  "integer-flag": flag("ten", integers),
  "float-flag": flag("half", floats),
  "object-flag": flag("template", objects),
  "boolean-disabled-flag": flag("on", onOff, disabled),
  "string-disabled-flag": flag("greeting", texts, disabled),
  "integer-disabled-flag": flag("ten", integers, disabled),
  "float-disabled-flag": flag("half", floats, disabled),
  "object-disabled-flag": flag("template", objects, disabled),
  ...named("zero-flag"),
  ...named("targeted-zero-flag"),
  "context-aware": flag("external", { internal: "INTERNAL", external: "EXTERNAL" }),
  "complex-targeted": flag("external", { internal: "INTERNAL", external: "EXTERNAL" }),
  "metadata-flag": flag("on", onOff, { metadata: { string: "1.0.2", integer: 2, float: 0.1, boolean: true } }),
  "wrong-flag": flag("one", { one: "uno", two: "dos" }),
  "null-default-flag": flag(null, onOff),
  "open-default-flag": { variants: { small: 10, big: 1000 } },
  "variantless-flag": flag("three", { one: "uno" }),
  "split-flag": flag("one", { one: "uno", two: "dos" }),
  plain: { isOpen: true, banner: "summer", price: 12, odds: 0.25, rewards: [1, 2], gems: 10 }
}

interface Group {
  readonly name: string
  readonly weight: number
  readonly set?: Readonly<Record<string, unknown>>
}

const group = ({ name, weight, set = {} }: Group, at: number) => ({
  name,
  weight,
  isControl: at === 0,
  changeset: {
    operations: Object.entries(set).map(([path, value]) => ({ op: "set", path: path.split("/"), value }))
  }
})

const condition = (name: string, operator: string, value: unknown) => ({
  property: `properties.${name}`,
  operator,
  value
})

const everybodyElse = { name: "control", weight: 0 }

const chosen = (flags: ReadonlyArray<string>, variant: string) =>
  Object.fromEntries(flags.map((name) => [`${name}/defaultVariant`, variant]))

/** What decides about the flags that look at their context. */
export const experiments = (baseConfigurationId: number) => {
  const plan = (name: string, groups: ReadonlyArray<Group>, conditions: ReadonlyArray<object>) => ({
    name,
    baseConfigurationId,
    unitType: "user",
    assignmentMode: "weightedHash",
    permanentEnrollment: false,
    groups: groups.map(group),
    targeting: { conditions }
  })
  const taken = (set: Readonly<Record<string, unknown>>, name = "taken") => [
    everybodyElse,
    { name, weight: 10_000, set }
  ]
  const somebody = condition("email", "equal", "ballmer@macrosoft.com")
  const noCustomer = (age: number) => [condition("customer", "equal", false), condition("age", "greaterThan", age)]
  return [
    plan("email", taken(chosen(Object.keys(named("targeted-zero-flag")), "zero")), [somebody]),
    plan("complex", taken(chosen(["complex-targeted"], "internal")), [somebody, ...noCustomer(10)]),
    plan("context", taken(chosen(["context-aware"], "internal")), [
      condition("fn", "equal", "Sulisław"),
      condition("ln", "equal", "Świętopełk"),
      ...noCustomer(10)
    ]),
    plan("gems", taken({ "plain/gems": 20 }, "generous"), [condition("level", "greaterThan", 5)]),
    plan(
      "split",
      [
        { name: "one", weight: 5000 },
        { name: "two", weight: 5000, set: chosen(["split-flag"], "two") }
      ],
      []
    )
  ]
}
