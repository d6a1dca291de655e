import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { useProject } from "../shell/Project.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { GameMap } from "./HeatmapQueries.ts"
import { mapsKey, useMap } from "./HeatmapQueries.ts"
import { MapForm } from "./MapForm.tsx"
import { deniedText } from "../text/Denied.ts"
import { useOnward } from "../url/useOnward.ts"

interface RemoveProps {
  readonly map: GameMap
  readonly home: string
  readonly onClose: () => void
}

const RemoveMap = ({ map, home, onClose }: RemoveProps) => {
  const { applicationId } = useProject()
  const queries = useQueryClient()
  const onward = useOnward()
  const removed = useMutation({
    mutationFn: () => call("heatmaps.remove", { path: { applicationId, heatmapId: map.id } }),
    onSuccess: async () => {
      onward(home)
      await queries.invalidateQueries({ queryKey: mapsKey(applicationId) })
    }
  })
  return (
    <ConfirmDialog
      title={`Delete “${map.name}”?`}
      action="Delete"
      cancel="Keep it"
      error={removed.error}
      isPending={removed.isPending}
      onConfirm={() => removed.mutate()}
      onClose={onClose}
    >
      <p>
        The map and its image are gone for good, and saved questions about it are not answered any more. Markers stay.
      </p>
    </ConfirmDialog>
  )
}

/** Makes a map, where `heatmapId` is empty, or changes one. */
export const MapEditor = ({ heatmapId }: { readonly heatmapId: string }) => {
  const { applicationId, environment, may } = useProject()
  const map = useMap(applicationId, heatmapId)
  const [isRemoving, remove] = useState(false)
  const home = `/p/${applicationId}/${environment.alias}/heatmaps`
  const isNew = heatmapId === ""
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{isNew ? "New map" : (map.data?.name ?? "Map")}</h1>
          <p>An image of the world from above, and where it lies</p>
        </div>
        <div className="row">
          {map.data !== undefined && may("queries:write") && (
            <button type="button" className="button button-small" onClick={() => remove(true)}>
              Delete
            </button>
          )}
          <Link className="button button-small" href={isNew ? home : `${home}?map=${heatmapId}`}>
            {isNew ? "All maps" : "Back to the map"}
          </Link>
        </div>
      </header>
      {!may("queries:write") ? (
        <section className="card">
          <Empty title="You may not change maps">{deniedText("queries:write")}</Empty>
        </section>
      ) : isNew ? (
        <MapForm opened={null} home={home} />
      ) : map.data !== undefined ? (
        <MapForm key={map.data.id} opened={map.data} home={home} />
      ) : map.error !== null ? (
        <Failed error={map.error} retry={() => void map.refetch()} />
      ) : (
        <Skeleton />
      )}
      {isRemoving && map.data !== undefined && <RemoveMap map={map.data} home={home} onClose={() => remove(false)} />}
    </div>
  )
}
