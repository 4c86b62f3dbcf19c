import { useRouter } from '@tanstack/react-router'
import { signOut } from '../../kit/session/session.ts'

/** Signs out, unless a form with unsaved changes holds the person back. */
export function useSignOut(): () => Promise<void> {
  const router = useRouter()
  return async () => {
    // First away from the screen, so that a form can still ask.
    await router.navigate({ to: '/auth/login' })
    if (router.state.location.pathname === '/auth/login') await signOut()
  }
}
