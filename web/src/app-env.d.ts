/** The build's version and commit (vite.config.ts). */
declare const __APP_VERSION__: string
