// Builds the dashboard: scripts and styles under names that carry their digest, index.html, and a compressed form beside each file.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build, transform } from "esbuild"
import { root } from "./build.mjs"
import { describe, isCurrent, stateOf } from "./builtFiles.mjs"

/** What the page is made of without being bundled into it. */
const ownInputs = ["src/buildWeb.mjs", "src/web/index.html"]

/** The style of a page that is loaded later: its name in the bundle's list of inputs, before its path. */
const later = "later:"

/**
 * A script other than the first one that imports a style gets a module which puts the style on the page and waits for it, so that a page
 * brings its own style along and is never seen without it.
 */
const pageStyles = {
  name: "page-styles",
  setup(builder) {
    builder.onResolve({ filter: /\.css$/ }, ({ path, kind, importer, resolveDir }) => {
      if (kind === "url-token" || path.startsWith(later)) {
        return { path: path.slice(later.length), namespace: "later-file" }
      }
      if (kind !== "import-statement" || importer === join(root, "src/web/main.tsx")) return undefined
      return { path: relative(root, join(resolveDir, path)), namespace: "later" }
    })
    builder.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({
      loader: "js",
      contents: `import address from ${JSON.stringify(later + path)}
        const link = document.createElement("link")
        link.rel = "stylesheet"
        link.href = address
        await new Promise((done) => {
          link.onload = link.onerror = done
          document.head.append(link)
        })`
    }))
    builder.onLoad({ filter: /./, namespace: "later-file" }, async ({ path }) => {
      const text = `@layer pages{${readFileSync(join(root, path), "utf8")}}`
      const { code } = await transform(text, { loader: "css", minify: true, target: assets.target })
      return { loader: "file", contents: code }
    })
  }
}

/** The scripts that another one loads when they are needed. */
const laterScripts = () =>
  readdirSync(join(root, "src/web"), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const file = join(root, "src/web", name)
      const imports = readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+\.tsx?)"\)/g)
      return [...imports].map(([, path]) => join(dirname(file), path))
    })

/**
 * Lets every script that is loaded later begin with what the first one has loaded already, and with what most of them share; who signs in
 * needs little of that. The bundler makes a file of each set of modules that the same scripts need, so that few sets make few files: over
 * six connections a browser waits for the number of files more than for their bytes.
 */
const sharedStart = {
  name: "shared-start",
  setup(builder) {
    const entrance = join(root, "src/web/account")
    const beginningOf = (file) =>
      ["App.tsx", ...(dirname(file) === entrance ? [] : ["shared.ts"])]
        .map((name) => `import ${JSON.stringify(join(root, "src/web", name))}\n`)
        .join("")
    // Found before the bundler begins: it meets the files in another order each time, some of them before the script that loads them later.
    const starting = new Set(laterScripts())
    builder.onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
      starting.has(path)
        ? { loader: path.endsWith("x") ? "tsx" : "ts", contents: beginningOf(path) + readFileSync(path, "utf8") }
        : undefined
    )
  }
}

const assets = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: "es2022",
  jsx: "automatic",
  legalComments: "none",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  publicPath: "/assets",
  plugins: [pageStyles, sharedStart],
  define: { "process.env.NODE_ENV": '"production"' },
  metafile: true,
  logLevel: "warning"
}

/** A page of the application as its routes declare it: the path of its address, and where its script begins. */
const declared = /\bpage\("([^"]+)",\s*\(\)\s*=>\s*import\("\.\/([^"]+)"\)/g

/** By page what its script imports, its styles and itself, but for what every page begins with. A page that has no path of its own is left out. */
const filesOfPages = ({ outputs }, common) => {
  const known = new Set(common)
  const importsOf = (path, found = new Set()) => {
    if (found.has(path) || known.has(path)) return found
    found.add(path)
    for (const { path: next, kind } of outputs[path].imports) {
      if (kind === "import-statement" || (kind === "file-loader" && next.endsWith(".css"))) importsOf(next, found)
    }
    return found
  }
  const routes = readFileSync(join(root, "src/web/App.tsx"), "utf8").matchAll(declared)
  const chunks = [...routes].map(([, page, file]) => [
    page,
    Object.keys(outputs).find((path) => outputs[path].entryPoint === `src/web/${file}`)
  ])
  return Object.fromEntries(chunks.map(([page, chunk]) => [page, [...importsOf(chunk)].map((path) => basename(path))]))
}

/** The page with its scripts and styles; what the first script imports is asked for at once, and so are the files of the page. */
const pageOf = (application, theme) => {
  const outputs = Object.entries({ ...application.metafile.outputs, ...theme.metafile.outputs })
  const outputOf = (entry) => outputs.find(([, { entryPoint }]) => entryPoint === entry)
  const address = (path) => `/assets/${basename(path)}`
  const [script, { imports, cssBundle }] = outputOf("src/web/main.tsx")
  const needed = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
  const pages = JSON.stringify(filesOfPages(application.metafile, [script, ...needed]))
  const head = [
    `<meta name="pages" content="${pages.replaceAll('"', "&quot;")}">`,
    `<script src="${address(outputOf("src/web/theme/first.ts")[0])}"></script>`,
    `<link rel="stylesheet" href="${address(cssBundle)}">`,
    ...needed.map((path) => `<link rel="modulepreload" href="${address(path)}">`),
    `<script type="module" src="${address(script)}"></script>`
  ]
  return readFileSync(join(root, "src/web/index.html"), "utf8").replace("<!-- assets -->", head.join("\n    "))
}

/** Builds the dashboard into this folder of the repository, unless nothing has changed since the last time. */
export const buildWeb = async (outdir) => {
  const folder = join(root, outdir)
  const stamp = join(folder, "inputs.json")
  if (isCurrent(stamp)) return
  // The new files replace the old ones at once, so that a server that starts meanwhile never finds half of them.
  const draft = join(root, `${outdir}.${process.pid}`)
  mkdirSync(join(draft, "assets"), { recursive: true })
  try {
    const into = { ...assets, outdir: join(draft, "assets") }
    const [application, theme] = await Promise.all([
      build({ ...into, entryPoints: ["src/web/main.tsx"], format: "esm", splitting: true }),
      build({ ...into, entryPoints: { theme: "src/web/theme/first.ts" }, format: "iife" })
    ])
    writeFileSync(join(draft, "index.html"), pageOf(application, theme))
    writeFileSync(join(draft, "favicon.svg"), readFileSync(join(root, "src/web/theme/favicon.svg")))
    const built = readdirSync(join(draft, "assets")).map((name) => `assets/${name}`)
    const files = ["index.html", "favicon.svg", ...built].map((path) => describe(draft, path))
    writeFileSync(join(draft, "files.json"), JSON.stringify(files))
    writeFileSync(join(draft, "metafile.json"), JSON.stringify(application.metafile))
    const inputs = [application, theme]
      .flatMap(({ metafile }) => Object.keys(metafile.inputs))
      .map((input) => input.replace(/^later(-file)?:/, ""))
    const states = [...ownInputs, "src/web/theme/favicon.svg", ...inputs].map(stateOf)
    writeFileSync(join(draft, "inputs.json"), JSON.stringify(states))
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
