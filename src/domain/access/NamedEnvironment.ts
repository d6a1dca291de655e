import { Either } from "effect"
import type { EnvironmentId } from "../Ids.ts"

/** An environment with the name of its project. */
export interface PlacedEnvironment {
  readonly id: EnvironmentId
  readonly name: string
  readonly alias: string
  readonly project: string
}

const listed = (all: ReadonlyArray<PlacedEnvironment>): string =>
  all.map(({ id, alias, project }) => `${id} (${alias} of ${project})`).join(", ")

/** The one environment that the word is the id, the alias or the name of, or a sentence with the ids that there are to choose from. */
export const environmentNamed = (
  word: string,
  all: ReadonlyArray<PlacedEnvironment>
): Either.Either<EnvironmentId, string> => {
  const byId = all.find(({ id }) => String(id) === word)
  if (byId !== undefined) return Either.right(byId.id)
  const [only, ...others] = all.filter(({ alias, name }) => alias === word || name === word)
  if (only !== undefined && others.length === 0) return Either.right(only.id)
  if (only !== undefined)
    return Either.left(`Several environments are called ${word}: give the id of one of ${listed([only, ...others])}`)
  if (all.length > 0) return Either.left(`Environment ${word} does not exist here: there are ${listed(all)}`)
  return Either.left(
    `Environment ${word} does not exist here, and no other: sign in to the server once, which makes a project with its environments`
  )
}
