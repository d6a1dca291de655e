// Builds the guide: a page of each document and of each group of endpoints, with an index that browsers search without a server.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import MiniSearch from "minisearch"
import { root } from "./build.mjs"
import { describe, isCurrent, stateOf } from "./builtFiles.mjs"
import { endpointDocuments } from "./guide/endpoints.mjs"
import { render } from "./guide/markdown.mjs"
import { pageOf, upOf } from "./guide/page.mjs"

/** The pages that each do one job, in the order in which a studio needs them. */
const jobs = ["index", "first-chart", "cohorts", "rollout", "ab-test", "deeplinks", "backup", "scaling"]

/** Folders of which a new file makes a new page. */
const folders = ["docs", "docs/clients", "docs/guide"]

const own = ["src/buildGuide.mjs", ...["endpoints", "markdown", "page"].map((name) => `src/guide/${name}.mjs`)]

/** What is searched, and what is shown of it. */
const searchOptions = { fields: ["title", "heading", "text"], storeFields: ["title", "heading", "beginning"] }

const assets = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "none",
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  metafile: true,
  logLevel: "warning"
}

/** The contract as OpenAPI, and the sources that say it. */
const contract = async () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-contract-"))
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      stdin: {
        contents: `import * as OpenApi from "@effect/platform/OpenApi"
          import { Api } from "./schema/Api.ts"
          export const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))`,
        resolveDir: root
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: join(folder, "contract.mjs"),
      metafile: true,
      logLevel: "warning"
    })
    const { document } = await import(pathToFileURL(join(folder, "contract.mjs")).href)
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>" && !path.includes("node_modules"))
    return { document, inputs: [...inputs, "package-lock.json"] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const markdownIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ file: `${folder}/${name}`, name: basename(name, ".md") }))

/** Every page without its content: the file that it is made of, and its path in the guide. */
const planned = (document) => {
  const read = ({ file, name }, path) => ({ file, path, source: readFileSync(join(root, file), "utf8"), name })
  const reference = [...markdownIn("docs"), ...markdownIn("docs/clients")]
  return [
    {
      name: "Guide",
      pages: jobs.map((name) => read({ file: `docs/guide/${name}.md`, name }, name === "index" ? "" : name))
    },
    { name: "Reference", pages: reference.map((each) => read(each, `reference/${each.name}`)) },
    {
      name: "Endpoints",
      pages: endpointDocuments(document).map(({ name, source }) => ({
        file: `endpoints/${name}.md`,
        path: `endpoints/${name}`,
        source,
        name
      }))
    }
  ]
}

/** Every page with its content. A link to an anchor that is not there is a mistake in the documents. */
const written = (sections) => {
  const pages = sections.flatMap((section) => section.pages)
  const byFile = new Map(pages.map((page) => [page.file, page]))
  // What the five minutes of the README say, the guide says on a page of its own.
  byFile.set("README.md", byFile.get("docs/guide/first-chart.md"))
  for (const page of pages) {
    const up = upOf(page.path)
    const addressOf = (target, hash) => {
      const known = byFile.get(target)
      if (known === undefined) return undefined
      const address = known === page ? "" : `${up}${known.path}`
      return hash === undefined || target === "README.md" ? address || "#content" : `${address}#${hash}`
    }
    Object.assign(page, render(page.file, page.source, addressOf))
    page.name = page.title
  }
  const broken = pages.flatMap(({ file, links }) =>
    links
      .filter(({ target, hash }) => target !== "README.md" && hash !== undefined)
      .filter(({ target, hash }) => !byFile.get(target).headings.some(({ id }) => id === hash))
      .map(({ target, hash }) => `${file} links to ${target}#${hash}, which is not there`)
  )
  if (broken.length > 0) throw new Error(broken.join("\n"))
  return pages
}

const indexOf = (pages) => {
  const index = new MiniSearch(searchOptions)
  index.addAll(
    pages.flatMap((page) =>
      page.sections.map(({ id, heading, text }, at) => ({
        id: at === 0 ? page.path : `${page.path}#${id}`,
        title: page.title,
        heading,
        text,
        beginning: text.slice(0, 160)
      }))
    )
  )
  return JSON.stringify({ options: searchOptions, index })
}

const outputOf = ({ metafile: { outputs } }, entry, ending) =>
  `assets/${basename(Object.keys(outputs).find((path) => path.endsWith(ending) && (outputs[path].entryPoint === entry || ending === ".css")))}`

/** Builds the guide into this folder of the repository, unless nothing has changed since the last time. */
export const buildGuide = async (outdir) => {
  const folder = join(root, outdir)
  if (isCurrent(join(folder, "inputs.json"))) return
  const draft = join(root, `${outdir}.${process.pid}`)
  mkdirSync(join(draft, "assets"), { recursive: true })
  try {
    const into = { ...assets, outdir: join(draft, "assets") }
    const [{ document, inputs }, application, theme] = await Promise.all([
      contract(),
      build({ ...into, entryPoints: { guide: "src/web/guide/main.ts" }, format: "esm" }),
      build({ ...into, entryPoints: { theme: "src/web/guide/theme.ts" }, format: "iife" })
    ])
    const sections = planned(document)
    const pages = written(sections)
    const put = (path, content) => {
      mkdirSync(dirname(join(draft, path)), { recursive: true })
      writeFileSync(join(draft, path), content)
      return path
    }
    put("index", indexOf(pages))
    const { digest } = describe(draft, "index")
    renameSync(join(draft, "index"), join(draft, `assets/index-${digest}.json`))
    const addresses = {
      theme: outputOf(theme, "src/web/guide/theme.ts", ".js"),
      script: outputOf(application, "src/web/guide/main.ts", ".js"),
      style: outputOf(application, "src/web/guide/main.ts", ".css"),
      index: `assets/index-${digest}.json`
    }
    const files = [
      ...pages.map((page) => put(`${page.path || "index"}.html`, pageOf(page, sections, addresses))),
      put("favicon.svg", readFileSync(join(root, "src/web/theme/favicon.svg"))),
      ...readdirSync(join(draft, "assets")).map((name) => `assets/${name}`)
    ]
    put("files.json", JSON.stringify(files.map((path) => describe(draft, path))))
    const bundled = [application, theme].flatMap(({ metafile }) => Object.keys(metafile.inputs))
    const documents = pages.map(({ file }) => file).filter((file) => file.startsWith("docs/"))
    const all = [...own, ...folders, "src/web/theme/favicon.svg", ...documents, ...inputs, ...bundled]
    put("inputs.json", JSON.stringify(all.map(stateOf)))
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
