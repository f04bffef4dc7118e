package bulk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readState reads a state; false if there is none.
func readState(file string, into any) (bool, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("bulk: %w", err)
	}
	var head struct {
		Version int `json:"tablewright"`
	}
	if err := errors.Join(json.Unmarshal(text, &head), json.Unmarshal(text, into)); err != nil || head.Version != stateVersion {
		return false, fmt.Errorf("bulk: %s is no state that this version can go on from: remove it to begin anew", file)
	}
	return true, nil
}

// writeState writes a state, whole or not at all, for its owner's eyes only: positions are keys of items.
func writeState(file string, state any) error {
	text, err := json.Marshal(state)
	if err == nil {
		err = replace(file, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("bulk: state: %w", err)
	}
	return nil
}

func replace(file string, text []byte) error {
	t, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = t.Write(text)
	if err = errors.Join(err, t.Sync(), t.Close()); err == nil {
		err = os.Rename(t.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(t.Name()))
	}
	return nil
}

// forget removes a state.
func forget(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolder makes a renaming last.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // some systems cannot sync folders
	return d.Close()
}
