import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from "@cucumber/gherkin"
import { IdGenerator } from "@cucumber/messages"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A step with the rows of its table, if it has one. */
export interface Step {
  readonly text: string
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A scenario, with its background before it and the values of its example in their places. */
export interface Scenario {
  readonly feature: string
  readonly name: string
  readonly tags: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

const scenariosIn = (uri: string, text: string): ReadonlyArray<Scenario> => {
  const newId = IdGenerator.incrementing()
  const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text)
  return compile(document, uri, newId).map(({ name, tags, steps }) => ({
    feature: uri,
    name,
    tags: tags.map((tag) => tag.name),
    steps: steps.map((step) => ({
      text: step.text,
      rows: (step.argument?.dataTable?.rows ?? []).map(({ cells }) => cells.map(({ value }) => value))
    }))
  }))
}

/** The scenarios of all feature files of a folder. */
export const scenariosOf = (folder: string): ReadonlyArray<Scenario> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".feature"))
    .flatMap((file) => scenariosIn(file, readFileSync(join(folder, file), "utf8")))

export type Work<World> = (world: World, words: ReadonlyArray<string>, step: Step) => Promise<void> | void

/** Plays a scenario: each step is done by the one definition whose pattern it matches as a whole. */
export const play = async <World>(
  { steps }: Scenario,
  definitions: ReadonlyArray<readonly [RegExp, Work<World>]>,
  world: World
): Promise<void> => {
  for (const step of steps) {
    const matches = definitions.flatMap(([pattern, work]) => {
      const match = pattern.exec(step.text)
      return match === null ? [] : [{ work, words: match.slice(1) }]
    })
    if (matches.length !== 1) throw new Error(`${matches.length} definitions of the step: ${step.text}`)
    await matches[0]!.work(world, matches[0]!.words, step)
  }
}
