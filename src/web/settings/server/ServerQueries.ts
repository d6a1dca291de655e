import { useQuery } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import type { Answer } from "../../api/Wire.ts"

export type Backup = Answer<"backups.list">["items"][number]

/** Names of the lists that a backup or the try of one makes old. */
export const backupLists = ["backups"]

/** How often the state and the list of backups are asked again, and the list while something runs, in milliseconds. */
const statePause = 30_000
const runPause = 2000

export const useServerState = () =>
  useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => call("server.status", { signal }),
    refetchInterval: statePause
  })

export const useBackups = () =>
  useQuery({
    queryKey: backupLists,
    queryFn: ({ signal }) => call("backups.list", { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.running !== null ? runPause : statePause)
  })
