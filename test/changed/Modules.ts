import { build } from "esbuild"

/** The modules that each module imports, from these on, without those of packages: `package-lock.json` stands for them; undefined where one imports what is not there. */
export const modulesFrom = async (
  root: string,
  entries: ReadonlyArray<string>
): Promise<ReadonlyMap<string, ReadonlyArray<string>> | undefined> => {
  const built = await build({
    absWorkingDir: root,
    stdin: { contents: entries.map((path) => `import "./${path}"`).join("\n"), resolveDir: root },
    bundle: true,
    write: false,
    outdir: "unwritten",
    metafile: true,
    treeShaking: false,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent"
  }).catch(() => undefined)
  if (built === undefined) return undefined
  return new Map(
    Object.entries(built.metafile.inputs).map(([path, { imports }]) => [
      path,
      imports.filter(({ external }) => external !== true).map((each) => each.path)
    ])
  )
}
