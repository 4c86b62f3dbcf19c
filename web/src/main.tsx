import './ui/theme/base.css'
import { createRoot } from 'react-dom/client'
import { App, connectSession } from './app/app.tsx'
import { createAppRouter } from './app/router.tsx'
import { reloadOnMissingPart } from './kit/api/missing-part.ts'
import { startI18n } from './kit/i18n/i18n.ts'
import { noteAppVersion } from './kit/session/app-version.ts'
import { startDensity } from './ui/page/density.ts'

reloadOnMissingPart()
const isUpdated = noteAppVersion(__APP_VERSION__)
startDensity()

const router = createAppRouter()
connectSession(router)

await startI18n()

createRoot(document.getElementById('root')!).render(<App router={router} isUpdated={isUpdated} />)
