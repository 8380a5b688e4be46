/** Sub-commands of tools that have many, by their own help texts: for near names of a mistyped one. */

const words = (text: string): readonly string[] => text.split(" ");

const NODE =
  "install uninstall add remove run test start build init publish update outdated audit exec ls list link unlink view info pack prune rebuild version config login logout ci";

/** By the name of the program. */
export const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  git: words(
    "add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep init log ls-files merge mv notes pull push range-diff rebase reflog remote reset restore rev-parse revert rm shortlog show sparse-checkout stash status submodule switch tag worktree",
  ),
  npm: words(NODE),
  pnpm: words(NODE),
  yarn: words(NODE),
  cargo: words(
    "add bench build check clean clippy doc fetch fix fmt init install metadata new publish remove run search test tree uninstall update vendor version",
  ),
  go: words(
    "build clean doc env fix fmt generate get install list mod run test tool version vet work",
  ),
  pip: words(
    "install uninstall download freeze list show check config search cache index wheel hash inspect",
  ),
  pip3: words(
    "install uninstall download freeze list show check config search cache index wheel hash inspect",
  ),
  uv: words(
    "add build cache export init lock pip publish python remove run sync tool tree venv version",
  ),
  docker: words(
    "attach build commit compose cp create diff events exec export images import info inspect kill load login logout logs network pause port ps pull push rename restart rm rmi run save search start stats stop tag top unpause update version volume wait",
  ),
  kubectl: words(
    "annotate api-resources apply attach auth autoscale cluster-info config cordon cp create delete describe diff drain edit exec explain expose get label logs patch port-forward proxy replace rollout run scale set taint top uncordon version wait",
  ),
  "apt-get": words(
    "update upgrade install reinstall remove purge autoremove clean autoclean check source download dist-upgrade",
  ),
  apt: words(
    "list search show install reinstall remove purge autoremove update upgrade full-upgrade",
  ),
  deno: words(
    "add bench bundle cache check clean compile coverage doc eval fmt info init install lint outdated publish remove repl run serve task test types uninstall upgrade",
  ),
};
