/** Every floor with the floors that it may import. */
export const floors: Record<string, ReadonlyArray<string>> = {
  "src/domain": ["src/domain"],
  schema: ["schema", "src/domain"],
  "src/ports": ["src/ports", "src/domain"],
  "src/services": ["src/services", "src/ports", "src/domain", "schema"],
  "src/adapters": ["src/adapters", "src/ports", "src/domain"],
  "src/http": ["src/http", "src/services", "src/domain", "schema"],
  "src/jobs": ["src/jobs", "src/services", "src/domain", "schema"],
  // What pages say in their addresses is written once, in the dashboard.
  "src/mcp": ["src/mcp", "src/web", "src/domain", "schema"],
  "src/app": [
    "src/app",
    "src/mcp",
    "src/jobs",
    "src/http",
    "src/adapters",
    "src/services",
    "src/ports",
    "src/domain",
    "schema"
  ],
  "src/remote": ["src/remote", "src/domain", "schema"],
  "src/cli": ["src/cli", "src/mcp", "src/remote", "src/app", "src/services", "src/domain", "schema"],
  "src/sdk": ["src/sdk"],
  "src/openfeature": ["src/openfeature", "src/sdk"],
  "src/web": ["src/web", "src/domain", "schema"]
}

/** The packages that a floor may import; what is not listed may import any. */
export const packages: Record<string, RegExp> = {
  "src/domain": /^effect(\/|$)/,
  schema: /^(effect|@effect\/platform)$/,
  "src/ports": /^effect$/,
  "src/services": /^(effect|@effect\/platform|ajv|ajv\/.*)$/,
  "src/http": /^(effect|@effect\/(platform|platform-node|experimental)(\/.*)?|node:(buffer|http|process|zlib))$/,
  "src/jobs": /^(effect|@effect\/(platform|experimental))$/,
  "src/remote": /^(effect|@effect\/platform)$/,
  "src/mcp": /^(effect|@effect\/platform|@modelcontextprotocol\/sdk\/(server|types).*)$/,
  // Games load it: it depends on nothing.
  "src/sdk": /^node:(fs\/promises|path)$/,
  // The application brings the SDKs of OpenFeature.
  "src/openfeature": /^@openfeature\/(core|server-sdk|web-sdk)$/,
  "src/web":
    /^(react|react-dom(\/client)?|@ariakit\/react|@codemirror\/.*|@tanstack\/react-query|@simplewebauthn\/browser|minisearch|uqr|wouter|effect|@effect\/platform)$/
}
