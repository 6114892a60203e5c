/** Light or dark colours: as the user chose, else as the system has them. */

const KEY = "attnflow-theme";

export function chosen(): "light" | "dark" | null {
  try {
    return localStorage.getItem(KEY) as "light" | "dark" | null;
  } catch {
    return null;
  }
}

export function choose(isDark: boolean): void {
  try {
    localStorage.setItem(KEY, isDark ? "dark" : "light");
  } catch {
    // A page opened from a file may have no storage; then the choice lasts as long as the page.
  }
}
