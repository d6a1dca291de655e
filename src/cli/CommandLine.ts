import type { Flag } from "../app/Flags.ts"
import { listedOr } from "../domain/ListedOr.ts"
import { nearestName } from "../domain/NearestName.ts"

/** Options of every command, by which the library answers something else than the command. */
const others: ReadonlySet<string> = new Set(["--help", "-h", "--version", "--wizard", "--completions", "--log-level"])

export const isOther = (word: string): boolean => others.has(word.split("=", 1)[0] ?? "")

/** A command by its name, and what the words before any command belong to by the empty name. */
export type FlagsOf = (command: string) => ReadonlyArray<Flag> | undefined

/** An option as it was given. */
interface Given {
  readonly name: string
  readonly value: string | undefined
  readonly flag: Flag | undefined
}

const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text))

/** What is wrong with the value; undefined where the library may look at it. */
const problemOf = (values: ReadonlyArray<string>, value: string): string | undefined => {
  const [kind = "", ...more] = values
  if (more.length > 0) return values.includes(value) ? undefined : `must be ${listedOr(values)}`
  if (kind === "integer")
    return Number.isSafeInteger(Number(value)) && isNumber(value) ? undefined : "must be a whole number"
  return kind === "float" && !isNumber(value) ? "must be a number" : undefined
}

/** The options among the words, with the words that are their values. Whatever follows `--` is none. */
const givenIn = (words: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): ReadonlyArray<Given> => {
  const given: Array<Given> = []
  const end = words.indexOf("--")
  const length = end === -1 ? words.length : end
  for (let at = 0; at < length; at++) {
    const [, name, joined] = /^(--[^=]+)(?:=(.*))?$/s.exec(words[at] ?? "") ?? []
    if (name === undefined) continue
    const flag = flags.find((each) => each.name === name)
    const takesNext = flag !== undefined && flag.values !== null && joined === undefined
    given.push({ name, value: takesNext ? words[++at] : joined === "" ? undefined : joined, flag })
  }
  return given
}

const unknownText = (name: string, command: string, flags: ReadonlyArray<Flag>): string => {
  const nearest = nearestName(
    name.slice(2),
    flags.map((flag) => flag.name.slice(2))
  )
  if (nearest !== undefined) return `There is no option ${name}: did you mean --${nearest}?`
  return `There is no option ${name}: gamekeeper ${command === "" ? "serve" : command} --help has those that there are`
}

/** What is wrong with the options of one command; `further` are those that may stand there as well. */
const complaintsOf = (
  words: ReadonlyArray<string>,
  command: string,
  flags: ReadonlyArray<Flag>,
  further: ReadonlyArray<Flag>
): ReadonlyArray<string> => {
  const given = givenIn(words, [...flags, ...further])
  const seen = new Set<string>()
  const wrong = given.flatMap(({ name, value, flag }): ReadonlyArray<string> => {
    if (flag === undefined) return [unknownText(name, command, flags)]
    if (seen.has(name) && !flag.isRepeated) return [`${name} is given more than once`]
    seen.add(name)
    if (flag.values === null) return []
    // A folder that has an empty name is the one in which the command runs: whoever gives it has a variable that is not set.
    const mayBeEmpty = flag.isOptional && flag.values[0] !== "directory"
    if (value === undefined || (!mayBeEmpty && value.trim() === "")) return [`${name} needs a value`]
    if (flags.some((other) => other.name === value)) return [`${name} needs a value, and ${value} is another option`]
    const problem = problemOf(flag.values, value)
    return problem === undefined ? [] : [`${name} ${problem}, and not ${value}`]
  })
  // A name that is misspelt is not missing, too.
  if (given.some(({ flag }) => flag === undefined)) return wrong
  const missing = flags.filter(({ name, isOptional }) => !isOptional && !seen.has(name))
  return [...wrong, ...missing.map(({ name }) => `${name} is missing: gamekeeper ${command} --help tells of it`)]
}

/**
 * Where the command stands among the words, -1 where none does. Options of the server may come before it, whose values may be called like a command: a
 * folder `backup`, for example.
 */
export const commandAt = (words: ReadonlyArray<string>, flagsOf: FlagsOf): number => {
  const settings = flagsOf("") ?? []
  const takesNext = (word: string | undefined) => settings.some(({ name, values }) => name === word && values !== null)
  return words.findIndex((word, at) => word !== "" && flagsOf(word) !== undefined && !takesNext(words[at - 1]))
}

/**
 * What is wrong with the options of a command line, a sentence each: the library's own words name neither the option nor what was given for it.
 * Words in front of a command belong to the server's settings.
 */
export const complaints = (words: ReadonlyArray<string>, flagsOf: FlagsOf): ReadonlyArray<string> => {
  if (words.some(isOther)) return []
  const at = commandAt(words, flagsOf)
  const settings = flagsOf("") ?? []
  if (at === -1) return complaintsOf(words, "", settings, [])
  const command = words[at] ?? ""
  return [
    ...complaintsOf(words.slice(0, at), "", settings, []),
    ...complaintsOf(words.slice(at + 1), command, flagsOf(command) ?? [], settings)
  ]
}

/** What is wrong with the first word of a command line, be help asked for or not; undefined for a command, an option and nothing. */
export const unknownCommand = (word: string, commands: Iterable<string>): string | undefined => {
  const names = [...commands]
  if (word === "" || word.startsWith("-") || names.includes(word)) return undefined
  const nearest = nearestName(word, names)
  return nearest === undefined
    ? `There is no command ${word}: gamekeeper --help lists those that there are`
    : `There is no command ${word}: did you mean ${nearest}?`
}

const needed = {
  url: "Say where the server is, in GAMEKEEPER_URL or by --url, such as https://live.example.com",
  token:
    "Give a personal access token in GAMEKEEPER_TOKEN, or by --token, which lists of processes show: it is made in the dashboard (Settings, My account)"
}

/** What a command that talks to a server is not told of it, neither by options nor, as `isThere` says, by the environment. */
export const missingTarget = (
  words: ReadonlyArray<string>,
  flagsOf: FlagsOf,
  isThere: Readonly<Record<keyof typeof needed, boolean>>
): ReadonlyArray<string> => {
  if (words.some(isOther)) return []
  const command = words[commandAt(words, flagsOf)]
  const flags = (command === undefined ? undefined : flagsOf(command)) ?? []
  const isGiven = (name: string) => words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const names = (["url", "token"] as const).filter((name) => flags.some((flag) => flag.name === `--${name}`))
  return names.length < 2 ? [] : names.filter((name) => !isThere[name] && !isGiven(name)).map((name) => needed[name])
}
