import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useEffect, useState } from "react"
import { call } from "../api/client.ts"
import { callWithFile } from "../api/Files.ts"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { Button } from "../ui/Button.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import type { GameMap } from "./HeatmapQueries.ts"
import { imageOf, mapsKey } from "./HeatmapQueries.ts"
import type { ImagePlace } from "./ImageCorners.tsx"
import { ImageCorners } from "./ImageCorners.tsx"
import type { CornerDraft, MapDraft } from "./MapDraft.ts"
import { boundsIn, definitionIn, draftOf, mapShape } from "./MapDraft.ts"
import { useOnward } from "../url/useOnward.ts"

interface Props {
  /** Null for a new map. */
  readonly opened: GameMap | null
  readonly home: string
}

const letters = ["A", "B"] as const

/** An image that was chosen, with the address by which the page shows it. */
interface Chosen {
  readonly file: File
  readonly address: string
}

/** The image that was chosen last; its address ends with the page. */
const useChosenImage = () => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  useEffect(() => {
    return () => {
      if (chosen !== null) URL.revokeObjectURL(chosen.address)
    }
  }, [chosen])
  const choose = (file: File | undefined) =>
    setChosen(file === undefined ? null : { file, address: URL.createObjectURL(file) })
  return [chosen, choose] as const
}

/** A map's name, image and place in the world. */
export const MapForm = ({ opened, home }: Props) => {
  const { applicationId } = useProject()
  const queries = useQueryClient()
  const onward = useOnward()
  // A map whose image was refused is there already: what is typed from then on changes it.
  const [map, setMap] = useState(opened)
  const typed = useKept(`map-${applicationId}-${map?.id ?? "new"}`, mapShape)
  const draft: MapDraft = { ...draftOf(map), ...typed.draft }
  const [chosen, choose] = useChosenImage()
  const [problem, setProblem] = useState("")
  const image = chosen?.address ?? (map === null ? null : imageOf(map))
  const bounds = boundsIn(draft)
  const saved = useMutation({
    mutationFn: async () => {
      // What was typed alone is changed: somebody else may have put the map elsewhere meanwhile.
      const newest = map === null ? null : await call("heatmaps.get", { path: { applicationId, heatmapId: map.id } })
      const body = definitionIn({ ...draftOf(newest), ...typed.draft }, newest?.resolutionFactor ?? 1)
      if (typeof body === "string") return Promise.reject(new Error(body))
      const now =
        map === null
          ? await call("heatmaps.create", { path: { applicationId }, body })
          : await call("heatmaps.update", { path: { applicationId, heatmapId: map.id }, body })
      const heatmapId = now.id
      typed.discard()
      setMap(now)
      if (chosen !== null) await callWithFile("heatmaps.putImage", { path: { applicationId, heatmapId } }, chosen.file)
      return heatmapId
    },
    onSettled: () => queries.invalidateQueries({ queryKey: mapsKey(applicationId) }),
    onSuccess: (heatmapId) => onward(`${home}?map=${heatmapId}`)
  })
  const set = (part: Partial<MapDraft>) => typed.change((present) => ({ ...present, ...part }))
  const setCorner = (corner: 0 | 1, part: Partial<CornerDraft> | ImagePlace) =>
    typed.change((present) => {
      const [first, second] = present?.corners ?? draftOf(map).corners
      return {
        ...present,
        corners: corner === 0 ? [{ ...first, ...part }, second] : [first, { ...second, ...part }]
      }
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const definition = definitionIn(draft, map?.resolutionFactor ?? 1)
    setProblem(typeof definition === "string" ? definition : "")
    if (typeof definition !== "string") saved.mutate()
  }
  return (
    <form className="page page-split" onSubmit={submit}>
      <section className="builder" aria-label="Map">
        {typed.wasKept && (
          <KeptNotice what={map === null ? "This map" : "What you changed of this map"} onDiscard={typed.discard}>
            An image that was not saved has to be chosen again.
          </KeptNotice>
        )}
        <label className="field">
          Name
          <input
            required
            maxLength={100}
            autoComplete="off"
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </label>
        <label className="field">
          Description
          <input
            maxLength={500}
            autoComplete="off"
            value={draft.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        </label>
        <label className="field">
          Image, seen from above
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <small>PNG, JPEG or WebP of at most 4 MiB and 8,192 pixels a side.</small>
        </label>
        {letters.map((letter, index) => {
          const corner = index === 0 ? 0 : 1
          return (
            <fieldset className="corner-fields" key={letter}>
              <legend>Where {letter} is in the world</legend>
              <span className="corner-letter" aria-hidden="true">
                {letter}
              </span>
              {(["x", "z"] as const).map((axis) => (
                <label className="field" key={axis}>
                  {axis.toUpperCase()}
                  <input
                    inputMode="decimal"
                    autoComplete="off"
                    aria-label={`World ${axis.toUpperCase()} of ${letter}`}
                    value={draft.corners[corner][axis]}
                    onChange={({ target }) => setCorner(corner, { [axis]: target.value })}
                  />
                </label>
              ))}
            </fieldset>
          )
        })}
        <fieldset>
          <legend>Heights that belong to the map (world Y)</legend>
          <div className="field-pair">
            <label className="field">
              Lowest
              <input
                inputMode="decimal"
                autoComplete="off"
                value={draft.low}
                onChange={({ target }) => set({ low: target.value })}
              />
            </label>
            <label className="field">
              Highest
              <input
                inputMode="decimal"
                autoComplete="off"
                value={draft.high}
                onChange={({ target }) => set({ high: target.value })}
              />
            </label>
          </div>
        </fieldset>
        <p className="form-error" role="alert">
          {problem || saved.error?.message}
        </p>
        <Button type="submit" className="button button-primary" disabled={saved.isPending}>
          {saved.isPending ? "Saving …" : "Save the map"}
        </Button>
      </section>
      <section className="card" aria-label="Corners">
        <p className="toolbar faint">
          Drag A and B to two places whose coordinates you know, or move them with the arrow keys, and write the numbers
          beside them.
        </p>
        <ImageCorners image={image} aspect={1} places={draft.corners} onMove={setCorner} />
        <footer className="card-foot">
          <span role="status">
            {typeof bounds === "string"
              ? bounds
              : `The whole image shows X ${numberText(bounds.pointA.x)} to ${numberText(bounds.pointB.x)} from left to right, Z ${numberText(bounds.pointA.z)} to ${numberText(bounds.pointB.z)} from top to bottom.`}
          </span>
        </footer>
      </section>
    </form>
  )
}
