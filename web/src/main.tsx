import './ui/theme/base.css'
import { createRoot } from 'react-dom/client'
import { App, connectSession } from './app/app.tsx'
import { reloadOnMissingChunk } from './app/chunk-reload.ts'
import { createAppRouter } from './app/router.tsx'
import { startI18n } from './kit/i18n/i18n.ts'
import { noteAppVersion } from './kit/session/app-version.ts'
import { startDensity } from './ui/page/density.ts'

reloadOnMissingChunk()
const isUpdated = noteAppVersion(__APP_VERSION__)
startDensity()

const router = createAppRouter()
connectSession(router)

await startI18n()

createRoot(document.getElementById('root')!).render(<App router={router} isUpdated={isUpdated} />)
