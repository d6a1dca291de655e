import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert } from "vitest"
import { clientOnDiskTests } from "../clients/OnDisk.ts"
import { root } from "../support/Server.ts"

const sources = ["docs/clients/csharp/Gamekeeper.cs", "docs/clients/csharp/Json.cs", "test/dotnet/Player.cs"]

clientOnDiskTests({
  name: ".NET, run by Mono",
  made: (folder) => {
    const program = join(folder, "player.exe")
    const built = spawnSync(
      "mcs",
      ["-langversion:7.2", "-warnaserror", "-r:System.Net.Http.dll", `-out:${program}`, ...sources],
      { cwd: root, encoding: "utf8" }
    )
    assert.strictEqual(built.status, 0, built.stdout + built.stderr)
    return ({ url, key, folder: queue, mostWaiting, flushSeconds }) => [
      "mono",
      program,
      url,
      key,
      queue,
      String(mostWaiting),
      String(flushSeconds)
    ]
  }
})
