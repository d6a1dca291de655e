import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { errorsReference } from "../schema/ErrorsReference.ts"
import { permissionsReference } from "../schema/PermissionsReference.ts"
import { settingsReference } from "../src/app/SettingsReference.ts"

writeFileSync(join(import.meta.dirname, "permissions.md"), permissionsReference())
writeFileSync(join(import.meta.dirname, "errors.md"), errorsReference())
writeFileSync(join(import.meta.dirname, "settings.md"), settingsReference())
