import { useEffect } from "react"
import { Link } from "wouter"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { ListColumn } from "../ui/ListTable.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { useSearchText } from "../url/useSearchText.ts"
import { SearchField } from "../ui/SearchField.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { GameMap } from "./HeatmapQueries.ts"
import { imageOf, useMaps } from "./HeatmapQueries.ts"
import { isFound } from "../text/Search.ts"

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
    <DeniableButton denied={deniedText("queries:write")}>{content}</DeniableButton>
  )
}

const extent = (from: number, to: number): string =>
  `${numberText(Math.min(from, to))} to ${numberText(Math.max(from, to))}`

const Thumb = ({ map }: { readonly map: GameMap }) => {
  const image = imageOf(map)
  return image === null ? (
    <span className="map-thumb" />
  ) : (
    <img className="map-thumb" src={image} alt="" loading="lazy" />
  )
}

const columnsOf = (home: string): ReadonlyArray<ListColumn<GameMap>> => [
  { name: "Image", kind: "picture", render: (map) => <Thumb map={map} /> },
  { name: "Map", kind: "head", render: ({ id, name }) => <Link href={`${home}?map=${id}`}>{name}</Link> },
  { name: "Description", className: "faint", render: ({ description }) => description ?? "–" },
  { name: "World X", render: ({ bounds: { pointA, pointB } }) => extent(pointA.x, pointB.x) },
  { name: "World Z", render: ({ bounds: { pointA, pointB } }) => extent(pointA.z, pointB.z) },
  { name: "Heights", render: ({ bounds: { pointA, pointB } }) => extent(pointA.y, pointB.y) },
  {
    name: "Change",
    kind: "actions",
    render: ({ id, name }) => (
      <Link href={`${home}/${id}/edit`} aria-label={`Edit ${name}`}>
        Edit
      </Link>
    )
  }
]

/** All maps of the project. */
export const HeatmapList = () => {
  const { applicationId, environment } = useProject()
  const maps = useMaps(applicationId)
  const [search, setSearch] = useSearchText()
  const { hasNextPage, isFetching, isError, fetchNextPage } = maps
  // What is searched for may be on a page that is not here yet.
  useEffect(() => {
    if (search !== "" && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [search, hasNextPage, isFetching, isError, fetchNextPage])
  const all = maps.data?.pages.flatMap(({ items }) => items) ?? []
  const found = all.filter(({ name, description }) => isFound(search, name, description))
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
              hasNextPage ? (
                !isError && <Skeleton height={96} />
              ) : (
                <Empty title="No such map">Try another word.</Empty>
              )
            ) : (
              <ListTable label="List of maps" rows={found} keyOf={({ id }) => id} columns={columnsOf(home)} />
            )}
            <ShowMore list={maps} />
          </>
        )}
      </section>
    </div>
  )
}
