package main

import (
	"github.com/spf13/cobra"
)

func (a *app) completionCommand() *cobra.Command {
	return oneOf(&cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Example: example(`
			source <(tablewright completion bash)
			tablewright completion zsh > "${fpath[1]}/_tablewright"
			tablewright completion fish > ~/.config/fish/completions/tablewright.fish
			tablewright completion powershell | Out-String | Invoke-Expression`),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			default:
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
		},
	}, "bash", "zsh", "fish", "powershell")
}
