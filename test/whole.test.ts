import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"

const services = join(import.meta.dirname, "..", "src", "services")

/** Ports whose writes go into the event file; those of all other stores go into the metadata. */
const eventPorts = new Set(["EventStore", "CohortMembers"])

/** What is no store, nor built of any; or may be cut off from the rest, as the log of changes, which then tells of an unknown outcome. */
const noStores = new Set([
  "AccessVersion",
  "AuditRepo",
  "BackupFolder",
  "Health",
  "Images",
  "JsonSchemas",
  "LiveFeed",
  "Measures",
  "Passwords",
  "Peers",
  "Secrets",
  "Settings",
  "Transaction",
  "Turns"
])

/** Methods of ports that write nothing. One that is missing here counts as a write: add a new question to it. */
const questions =
  /^(ask|evaluate|exists|fileSizes|find\w*|firstSeen|freeBytes|grants(Of)?|icon|image|invitations|is[A-Z]\w*|linkedTo|list\w*|members(hip)?|metadata|names|nextDue|of[A-Z]\w*|open(Size)?|outlines|page|primary|problems|logProblems|runs|size|summaries|totals|unfinished|unmarked|version(s|Of)?|every\w*|environments|removedEnvironments|counts?|\w+Counts|convertedUnits|conversions)$/

/** Functions that may be cut off between the two, and why. */
const repeated: Record<string, string> = {
  "Demo.play": "a command of the operator, who sees that it was cut off",
  "DemoMarkers.catchUp": "each day is in one piece, and the next process goes on from the last marker that is stored",
  "DemoMarkers.goOn": "each step is in one piece, and the next process goes on from the last marker that is stored",
  "Exposures.sweep": "both pieces are whole, and the next round does again what this one has not done",
  "SetAsideData.remove": "each is deleted in one piece, and the others are still set aside",
  "Maintenance.round": "it does again an hour later what it has not done",
  "CohortRuns.run": "what it leaves is computed again once its claim has run out, see CohortRepo.claim",
  "CohortRuns.runNext": "what it leaves is computed again once its claim has run out, see CohortRepo.claim"
}

type File = "events" | "metadata"

interface Service {
  readonly name: string
  /** What each variable of the service is: `port` or `service`, by its class. */
  readonly used: ReadonlyMap<string, string>
  readonly functions: ReadonlyMap<string, ts.Node>
  /** What other services see, by name. */
  readonly exported: ReadonlyMap<string, ts.Node>
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The tag of `yield* Tag`. */
const yielded = (initializer: ts.Expression | undefined): string | undefined =>
  initializer !== undefined &&
  ts.isYieldExpression(initializer) &&
  initializer.expression !== undefined &&
  ts.isIdentifier(initializer.expression)
    ? initializer.expression.text
    : undefined

const returnedBy = (body: ts.Block): ReadonlyMap<string, ts.Node> => {
  const exported = new Map<string, ts.Node>()
  const last = body.statements.find(ts.isReturnStatement)?.expression
  const object =
    last !== undefined && (ts.isAsExpression(last) || ts.isSatisfiesExpression(last)) ? last.expression : last
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return exported
  for (const property of object.properties) {
    if (ts.isShorthandPropertyAssignment(property)) exported.set(property.name.text, property.name)
    else if (ts.isPropertyAssignment(property)) exported.set(property.name.getText(), property.initializer)
  }
  return exported
}

/** The service that a file defines, as its `Effect.gen` builds it; undefined where it defines none. */
const serviceIn = (file: string): Service | undefined => {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const owner = source.statements.filter(ts.isClassDeclaration).find(({ heritageClauses }) => heritageClauses?.length)
  let body: ts.Block | undefined
  walk(owner ?? source, (node) => {
    if (body === undefined && ts.isFunctionExpression(node) && node.asteriskToken !== undefined) body = node.body
  })
  if (owner?.name === undefined || body === undefined) return undefined
  const used = new Map<string, string>()
  const functions = new Map<string, ts.Node>()
  for (const statement of body.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || initializer === undefined) continue
      const tag = yielded(initializer)
      if (tag === undefined) functions.set(name.text, initializer)
      else used.set(name.text, tag)
    }
  }
  return { name: owner.name.text, used, functions, exported: returnedBy(body) }
}

/** Whether a parameter of a function around the identifier, inside the piece, has its name. */
const isParameter = (identifier: ts.Identifier, piece: ts.Node): boolean => {
  for (let node: ts.Node = identifier; node !== piece.parent; node = node.parent) {
    const { parameters } = node as Partial<ts.SignatureDeclaration>
    if (parameters?.some((parameter) => new RegExp(`\\b${identifier.text}\\b`).test(parameter.name.getText())))
      return true
  }
  return false
}

/** What waits in a buffer of `makeWriteBehind` is written when it is flushed, which happens in one piece. */
const isBuffered = (node: ts.Node | undefined, identifier: ts.Identifier): boolean =>
  /^yield\* makeWriteBehind\b/.test(node?.getText() ?? "") &&
  !(ts.isPropertyAccessExpression(identifier.parent) && identifier.parent.name.text === "flush")

/** Names of the service's own functions, and `variable.method` of what it uses, that a piece of it refers to. */
const referencesOf = ({ used, functions }: Service, node: ts.Node): ReadonlyArray<string> => {
  const found: Array<string> = []
  walk(node, (child) => {
    if (!ts.isIdentifier(child)) return
    const isMember = ts.isPropertyAccessExpression(child.parent) && child.parent.name === child
    const isKey = ts.isPropertyAssignment(child.parent) && child.parent.name === child
    if (isMember || isKey || isParameter(child, node) || isBuffered(functions.get(child.text), child)) return
    if (functions.has(child.text) && functions.get(child.text) !== node) found.push(child.text)
    else if (used.has(child.text) && ts.isPropertyAccessExpression(child.parent))
      found.push(`${child.text}.${child.parent.name.text}`)
  })
  return found
}

const survey = (sources: ReadonlyArray<Service>) => {
  const byName = new Map(sources.map((service) => [service.name, service]))
  const known = new Map<ts.Node, ReadonlySet<File>>()

  const writesOfPort = (port: string, method: string): ReadonlyArray<File> => {
    if (noStores.has(port) || questions.test(method)) return []
    return [eventPorts.has(port) ? "events" : "metadata"]
  }

  const writesOfReference = (service: Service, reference: string): ReadonlySet<File> => {
    const [name = "", method] = reference.split(".")
    if (method === undefined) return writesOf(service, service.functions.get(name))
    const tag = service.used.get(name) ?? ""
    const other = byName.get(tag)
    return other === undefined ? new Set(writesOfPort(tag, method)) : writesOf(other, other.exported.get(method))
  }

  const writesOf = (service: Service, node: ts.Node | undefined): ReadonlySet<File> => {
    if (node === undefined) return new Set()
    const before = known.get(node)
    if (before !== undefined) return before
    known.set(node, new Set())
    const references =
      ts.isIdentifier(node) && service.functions.has(node.text) ? [node.text] : referencesOf(service, node)
    const writes = new Set(references.flatMap((each) => [...writesOfReference(service, each)]))
    known.set(node, writes)
    return writes
  }

  /** Whether the function, or everything in the service that calls it, is wrapped in `whole`. */
  const isWhole = (service: Service, name: string, way: ReadonlyArray<string> = []): boolean => {
    const node = service.functions.get(name)
    const wrappers = [...service.functions].filter(([, each]) => /\bwhole\(/.test(each.getText())).map(([each]) => each)
    const names = ["whole", ...wrappers.filter((each) => writesOf(service, service.functions.get(each)).size === 0)]
    if (node === undefined || new RegExp(`\\b(${names.join("|")})\\b`).test(node.getText())) return node !== undefined
    const callers = [...service.functions].filter(([, each]) => referencesOf(service, each).includes(name))
    const isSeen = [...service.exported.values()].some(
      (each) => referencesOf(service, each).includes(name) || each.getText() === name
    )
    return (
      !isSeen &&
      callers.length > 0 &&
      callers.every(([caller]) => !way.includes(caller) && isWhole(service, caller, [...way, name]))
    )
  }

  return sources.flatMap((service) =>
    [...service.functions].flatMap(([name, node]) => {
      const writing = referencesOf(service, node).filter((each) => writesOfReference(service, each).size > 0)
      const isSplit = writing.length > 1 && writesOf(service, node).size > 1
      return isSplit ? [{ place: `${service.name}.${name}`, isWhole: isWhole(service, name), writing }] : []
    })
  )
}

const sources = filesIn(services).flatMap((file) => serviceIn(file) ?? [])

describe("writes into both files", () => {
  const found = survey(sources)

  it("G1: are in one piece, so that a caller who hangs up leaves no half of them", () => {
    const breaches = found
      .filter(({ place, isWhole }) => !isWhole && repeated[place] === undefined)
      .map(
        ({ place, writing }) => `${place} writes into both files and is not wrapped in whole(): ${writing.join(" ")}`
      )
    assert.deepStrictEqual(breaches, [])
  })

  it("are found where they are known to be, and no exception is out of date", () => {
    const places = found.map(({ place }) => place)
    const known =
      "Ingest.keep Attribution.keep GameServers.report Erasures.carryOut Environments.remove Projects.remove"
    assert.includeMembers(places, [...known.split(" "), "CohortWrites.remove", "Exposures.write"])
    assert.deepStrictEqual(
      Object.keys(repeated).filter((place) => !places.includes(place)),
      []
    )
    assert.isAbove(sources.length, 80)
    assert.isTrue(filesIn(services).some((file) => basename(file) === "Whole.ts"))
  })
})
