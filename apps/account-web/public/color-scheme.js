// Runs before the first paint, so that a dark page never flashes light. The theme reads the same key.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('atrium-color-scheme') ?? 'auto'
  } catch {
    // Storage may be forbidden; the system's scheme then holds.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
})()
