import { useState } from "react"
import { Link } from "wouter"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { deniedText } from "../text/Denied.ts"
import { Icon } from "../ui/Icon.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { GameMap } from "./HeatmapQueries.ts"
import { imageOf, useMaps } from "./HeatmapQueries.ts"

const NewMap = () => {
  const { applicationId, environment, may } = useProject()
  const content = (
    <>
      <Icon name="plus" size={14} />
      New map
    </>
  )
  return may("queries:write") ? (
    <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/heatmaps/new`}>
      {content}
    </Link>
  ) : (
    <button type="button" className="button" disabled title={deniedText("queries:write")}>
      {content}
    </button>
  )
}

const extent = (from: number, to: number): string =>
  `${numberText(Math.min(from, to))} to ${numberText(Math.max(from, to))}`

const Row = ({ map, home }: { readonly map: GameMap; readonly home: string }) => {
  const { pointA, pointB } = map.bounds
  const image = imageOf(map)
  return (
    <tr>
      <td>
        {image === null ? (
          <span className="map-thumb" />
        ) : (
          <img className="map-thumb" src={image} alt="" loading="lazy" />
        )}
      </td>
      <th scope="row">
        <Link href={`${home}?map=${map.id}`}>{map.name}</Link>
      </th>
      <td className="faint">{map.description ?? ""}</td>
      <td>{extent(pointA.x, pointB.x)}</td>
      <td>{extent(pointA.z, pointB.z)}</td>
      <td>{extent(pointA.y, pointB.y)}</td>
      <td>
        <Link href={`${home}/${map.id}/edit`} aria-label={`Edit ${map.name}`}>
          Edit
        </Link>
      </td>
    </tr>
  )
}

/** All maps of the project. */
export const HeatmapList = () => {
  const { applicationId, environment } = useProject()
  const maps = useMaps(applicationId)
  const [search, setSearch] = useState("")
  const all = maps.data?.pages.flatMap(({ items }) => items) ?? []
  const words = search.trim().toLowerCase()
  const found = all.filter(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase().includes(words))
  const home = `/p/${applicationId}/${environment.alias}/heatmaps`
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Heatmaps</h1>
          <p>Where in the world players die, win and stop</p>
        </div>
        <NewMap />
      </header>
      <section className="card" aria-label="Maps" aria-busy={maps.isFetching}>
        {maps.data === undefined ? (
          maps.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={maps.error} retry={() => void maps.refetch()} />
          )
        ) : all.length === 0 ? (
          <Empty title="Draw what happens on the map of the game" action={<NewMap />}>
            Upload an image of a level seen from above and match two of its corners to the world. Markers that carry a
            position then show where players die, buy or leave, flat or in three dimensions.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField label="Search maps" value={search} onChange={setSearch} />
            </div>
            {found.length === 0 ? (
              <Empty title="No such map">Try another word.</Empty>
            ) : (
              <div className="table-box" role="region" aria-label="List of maps" tabIndex={0}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">
                        <span className="unseen">Image</span>
                      </th>
                      <th scope="col">Map</th>
                      <th scope="col">Description</th>
                      <th scope="col">World X</th>
                      <th scope="col">World Z</th>
                      <th scope="col">Heights</th>
                      <th scope="col">
                        <span className="unseen">Change</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.map((map) => (
                      <Row key={map.id} map={map} home={home} />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {maps.hasNextPage && (
              <button
                type="button"
                className="button"
                disabled={maps.isFetchingNextPage}
                onClick={() => void maps.fetchNextPage()}
              >
                Show more
              </button>
            )}
          </>
        )}
      </section>
    </div>
  )
}
