import { Effect, Layer, Option } from "effect"
import { placeOf, type VersionPlace, versionOrder } from "../../../domain/analytics/note/Note.ts"
import { targets } from "../../../domain/configuration/Link.ts"
import { besideBytes, jsonBytes } from "../../../domain/configuration/Size.ts"
import type { Configuration, WrittenConfiguration } from "../../../domain/configuration/Configuration.ts"
import { ConfigurationId } from "../../../domain/Ids.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { ConfigurationRepo } from "../../../ports/configuration/ConfigurationRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const ConfigurationRepoMemory = Layer.effect(
  ConfigurationRepo,
  Effect.map(MemoryDb, ({ access, configurations, configurationVersions }) => {
    const of = (environment: EnvironmentId) =>
      configurations.rows.filter(({ environmentId }) => environmentId === environment)
    const written = ({ document, ...summary }: Configuration): WrittenConfiguration => ({
      summary,
      document: JSON.stringify(document)
    })
    return ConfigurationRepo.of({
      insert: (configuration) =>
        access(() => configurations.insert({ ...configuration, id: ConfigurationId.make(configurations.nextId()) })),
      update: (configuration) =>
        access(() => configurations.replace(({ id }) => id === configuration.id, configuration)),
      remove: (gone) =>
        access(() => {
          configurations.remove(({ id }) => id === gone)
          configurationVersions.remove(({ configurationId }) => configurationId === gone)
        }),
      find: (environmentId, id) => access(() => Option.fromNullable(of(environmentId).find((each) => each.id === id))),
      findWritten: (environmentId, id) =>
        access(() => Option.map(Option.fromNullable(of(environmentId).find((each) => each.id === id)), written)),
      findByNameOrAlias: (environmentId, nameOrAlias) =>
        access(() =>
          Option.fromNullable(
            of(environmentId).find(({ name, alias }) => name === nameOrAlias || alias === nameOrAlias)
          )
        ),
      primary: (environmentId) =>
        access(() => Option.fromNullable(of(environmentId).find(({ isPrimary }) => isPrimary))),
      makePrimary: (environmentId, id) =>
        access(() => {
          for (const each of of(environmentId)) {
            configurations.replace((row) => row.id === each.id, { ...each, isPrimary: each.id === id })
          }
        }),
      list: (environmentId) => access(() => of(environmentId)),
      listWritten: (environmentId) => access(() => of(environmentId).map(written)),
      summaries: (environmentId) => access(() => of(environmentId).map(({ document: _, ...summary }) => summary)),
      sizes: (environmentId) =>
        access(() =>
          of(environmentId).map((each) => ({
            id: each.id,
            bytes: jsonBytes(each.document),
            besideBytes: besideBytes(each),
            hasLinks: targets(each.document).length > 0
          }))
        ),
      linkedTo: (environmentId, id) =>
        access(() => of(environmentId).filter(({ document }) => targets(document).includes(id))),
      insertVersion: (version) => access(() => void configurationVersions.insert(version)),
      versions: (id, before, limit) =>
        access(() =>
          configurationVersions.rows
            .filter(({ configurationId, version }) => configurationId === id && version < (before ?? Infinity))
            .toSorted((a, b) => b.version - a.version)
            .slice(0, limit)
            .map(({ document: _, privacy: __, ...summary }) => summary)
        ),
      versionsWithin: (environmentId, { from, to }, place, limit) =>
        access(() => {
          const names = new Map(of(environmentId).map(({ id, name }) => [id, name]))
          const comesAfter = (one: VersionPlace) => (place === null ? true : versionOrder(place, one) < 0)
          return configurationVersions.rows
            .flatMap(({ document: _, privacy: __, ...summary }) => {
              const name = names.get(summary.configurationId)
              return name === undefined ? [] : [{ ...summary, name }]
            })
            .map((version) => ({ version, place: placeOf(version) }))
            .filter((each) => each.place.at >= from && each.place.at < to && comesAfter(each.place))
            .toSorted((one, other) => versionOrder(one.place, other.place))
            .slice(0, limit)
            .map(({ version }) => version)
        }),
      version: (id, number) =>
        access(() =>
          Option.fromNullable(
            configurationVersions.rows.find(
              ({ configurationId, version }) => configurationId === id && version === number
            )
          )
        )
    })
  })
)
