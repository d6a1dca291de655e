import "../theme/tokens.css"
import "./article.css"
import "./guide.css"
import { copyButtons } from "./CopyButtons.ts"
import { pageMenu } from "./PageMenu.ts"
import { searchField } from "./SearchField.ts"

copyButtons()
pageMenu()
searchField()
