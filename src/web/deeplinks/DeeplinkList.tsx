import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Deeplink } from "../api/deeplinks.ts"
import { useDeeplinks } from "../api/deeplinks.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { numberText, percentText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { ListColumn } from "../ui/ListTable.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { DeeplinkForm } from "./DeeplinkForm.tsx"
import { baseOf, rateOf } from "./DeeplinkWords.ts"
import { listCodec } from "./ListState.ts"
import { isFound } from "../text/Search.ts"

const linksAtOnce = 50

const rateText = (link: Deeplink): string => {
  const rate = rateOf(link)
  return rate === null ? "–" : percentText(rate)
}

const columnsOf = (home: string, timezone: string): ReadonlyArray<ListColumn<Deeplink>> => [
  {
    name: "Name",
    kind: "head",
    render: ({ id, name, archivedAt }) => (
      <>
        <Link href={`${home}/${id}`}>{name}</Link> {archivedAt !== null && <span className="tag">switched off</span>}
      </>
    )
  },
  {
    name: "Link",
    render: ({ url }) => (
      <span className="row link-address">
        <code>{url}</code>
        <CopyButton text={url} />
      </span>
    )
  },
  { name: "Clicks", kind: "number", render: ({ clicks }) => numberText(clicks) },
  { name: "Conversions", kind: "number", render: ({ conversions }) => numberText(conversions) },
  { name: "Rate", kind: "number", render: rateText },
  { name: "Created", className: "faint", render: ({ createdAt }) => bucketName(createdAt, "day", timezone) }
]

/** All links of the project, the most clicked first. */
export const DeeplinkList = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const [, navigate] = useLocation()
  const links = useDeeplinks(useWhere())
  const [{ search, isArchiveShown, page }, change] = useUrlState(listCodec)
  const [isCreating, create] = useState(false)
  const home = `/p/${applicationId}/${environment.alias}/deeplinks`
  const mayWrite = may("deeplinks:write")
  const add = (
    <DeniableButton
      denied={mayWrite ? null : deniedText("deeplinks:write")}
      look="button-primary"
      isBusy={links.data === undefined}
      onClick={() => create(true)}
    >
      <Icon name="plus" size={14} />
      New deeplink
    </DeniableButton>
  )
  const found = (links.data ?? [])
    .filter(({ archivedAt }) => isArchiveShown || archivedAt === null)
    .filter(({ name, slug, redirectUrl }) => isFound(search, name, slug, redirectUrl))
    .toSorted((one, other) => other.clicks - one.clicks || one.name.localeCompare(other.name))
  const shown = pageOfRows(found, page, linksAtOnce)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Deeplinks</h1>
          <p>Links into the game, and how many of those who follow one arrive.</p>
        </div>
        {add}
      </header>
      <section className="card" aria-label="Deeplinks" aria-busy={links.isFetching}>
        {links.data === undefined ? (
          links.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={links.error} retry={() => void links.refetch()} />
          )
        ) : links.data.length === 0 ? (
          <Empty title="No deeplink yet" action={add}>
            A deeplink counts who clicks it, leads them to the game, and tells which of them came to play. Put one into
            each newsletter, video and poster to see which was worth it.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField
                label="Search deeplinks"
                value={search}
                onChange={(text) => change((state) => ({ ...state, search: text, page: 1 }), { replace: true })}
              />
              <label className="check">
                <input
                  type="checkbox"
                  checked={isArchiveShown}
                  onChange={({ currentTarget }) =>
                    change((state) => ({ ...state, isArchiveShown: currentTarget.checked, page: 1 }))
                  }
                />
                Those switched off as well
              </label>
            </div>
            {found.length === 0 ? (
              <Empty title="No such deeplink">Try another word, or those that are switched off.</Empty>
            ) : (
              <ListTable
                label="List of deeplinks"
                rows={shown.rows}
                keyOf={({ id }) => id}
                columns={columnsOf(home, timezone)}
              />
            )}
            <Pages
              page={shown.page}
              pages={shown.pages}
              onPage={(next) => change((state) => ({ ...state, page: next }))}
            />
            <footer className="card-foot">
              <span>Links belong to the whole project; conversions are those of {environment.name}.</span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
      {isCreating && (
        <DeeplinkForm
          link={null}
          base={baseOf(links.data ?? [])}
          onClose={() => create(false)}
          onSaved={({ id }) => navigate(`${home}/${id}`)}
        />
      )}
    </div>
  )
}
