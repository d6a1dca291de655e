import { Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Config, Effect, Option, Predicate } from "effect"

const meanings: Readonly<Record<string, string>> = {
  ENOENT: "there is none of that name",
  ENOTDIR: "what its path names as a folder is none",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  EMFILE: "this process may open no further file",
  ENAMETOOLONG: "its name is longer than names may be here",
  ELOOP: "its links lead round in a circle",
  EIO: "the disk does not give it"
}

const reasonOf = (error: PlatformError): string => {
  const { cause } = error
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined
  return meaning === undefined ? error.message : `${meaning} (${code})`
}

/**
 * Says of a file that a person has named, and that cannot be read, where it was looked for and why it cannot. npm runs commands in the folder of
 * the repository: somebody who names a file of another folder, in which they stand, is told so.
 */
export const unreadable = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  const stood = Option.getOrElse(
    yield* Effect.orElseSucceed(Config.option(Config.string("INIT_CWD")), () => Option.none()),
    () => path.resolve()
  )
  const isElsewhere = !path.isAbsolute(file) && path.resolve(stood) !== path.resolve()
  const advice = isElsewhere ? `. npm runs this in ${path.resolve()}, not in ${stood}: give the whole path` : ""
  return (error: PlatformError) => `${path.resolve(file)}: ${reasonOf(error)}${advice}`
})
