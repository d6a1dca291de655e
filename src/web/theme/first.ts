// Runs before the stylesheet is applied, so that a page in the dark theme never flashes white. Bundled as a script of its own.
import { preloadPage } from "../shell/Preload.ts"
import { followTheme } from "./Theme.ts"

followTheme()
preloadPage()
