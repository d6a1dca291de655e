import { useState } from "react"
import { Link, useLocation } from "wouter"
import { useBoards, useCreateBoard } from "../api/boards.ts"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Moment } from "../ui/Moment.tsx"
import { deniedText } from "../text/Denied.ts"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
import { Icon } from "../ui/Icon.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useSearchText } from "../url/useSearchText.ts"
import { BoardPage } from "./BoardPage.tsx"
import "../theme/boards.css"
import { isFound } from "../text/Search.ts"

const BoardList = () => {
  const { applicationId, environment, may } = useProject()
  const [, navigate] = useLocation()
  const boards = useBoards(applicationId)
  const create = useCreateBoard(applicationId)
  const [isCreating, setCreating] = useState(false)
  const [search, setSearch] = useSearchText()
  const found = boards.data?.items.filter(({ name, description }) => isFound(search, name, description)) ?? []
  const home = `/p/${applicationId}/${environment.alias}/boards`
  const isAllowed = may("queries:write")
  const add = (
    <DeniableButton
      denied={isAllowed ? null : deniedText("queries:write")}
      look="button-primary"
      onClick={() => {
        create.reset()
        setCreating(true)
      }}
    >
      <Icon name="plus" size={14} />
      New board
    </DeniableButton>
  )
  const submit = (form: FormData) =>
    create.mutate({ name: String(form.get("name")).trim() }, { onSuccess: ({ id }) => navigate(`${home}/${id}`) })
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Boards</h1>
          <p>Answers side by side, for the morning look and the screen on the wall.</p>
        </div>
        {boards.data !== undefined && boards.data.items.length > 0 && add}
      </header>
      {boards.data === undefined ? (
        boards.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={boards.error} retry={() => void boards.refetch()} />
        )
      ) : boards.data.items.length === 0 ? (
        <section className="card">
          <Empty title="No board yet" action={add}>
            A board shows answers of saved questions side by side, over one time, and asks them again by itself.
          </Empty>
        </section>
      ) : (
        <>
          <div className="toolbar">
            <SearchField label="Search boards" value={search} onChange={setSearch} />
          </div>
          {found.length === 0 && <Empty title="No such board">Try another word.</Empty>}
          <ul className="board-list">
            {found.map(({ id, name, description, tiles, pinned, createdBy, updatedAt }) => (
              <li key={id} className="card">
                <h2>
                  <Link href={`${home}/${id}`}>{name}</Link>
                  {pinned && (
                    <span className="tag">
                      <Icon name="pin" size={12} />
                      Pinned
                    </span>
                  )}
                </h2>
                {description !== null && <p>{description}</p>}
                <small className="faint">
                  {countText(tiles.length, "question")} · by {createdBy?.email ?? "a key"} · changed{" "}
                  <Moment at={updatedAt} as="weekday" />
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
      {isCreating && (
        <FormDialog title="New board" onClose={() => setCreating(false)} onSubmit={submit}>
          <label className="field">
            Name
            <input name="name" required maxLength={100} placeholder="Every morning" />
          </label>
          <FormDialogEnd
            error={create.error}
            submit="Create"
            isDisabled={create.isPending}
            onClose={() => setCreating(false)}
          />
        </FormDialog>
      )}
    </div>
  )
}

/** All boards, or the one that the address names. */
export const Boards = () => {
  const [path] = useLocation()
  const boardId = path.split("/")[5] ?? ""
  return boardId === "" ? <BoardList /> : <BoardPage key={boardId} boardId={boardId} />
}
