// Plays the client for .NET: reads one command a line from standard input, and prints one line for each.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

public static class Player
{
    public static void Main(string[] args)
    {
        var problems = new List<object>();
        var client = new Gamekeeper.Client(new Gamekeeper.Options
        {
            Url = args[0], Key = args[1], Environment = args.Length > 5 ? args[5] : "production", Folder = args[2], FlushSeconds = double.Parse(args[4], CultureInfo.InvariantCulture),
            MostWaiting = int.Parse(args[3]), OnProblem = (kind, message) => { lock (problems) problems.Add(kind + ": " + message); }
        });
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var command = (Dictionary<string, object>)Gamekeeper.Json.Read(line);
            Func<string, object> field = name => command.ContainsKey(name) ? command[name] : null;
            var values = field("properties") as Dictionary<string, object>;
            if (values != null && values.ContainsKey("odd")) values["odd"] = double.NaN;
            object told = null;
            if ((string)field("do") == "track") told = client.Track((string)field("name"), (string)field("player"), values);
            if ((string)field("do") == "flush")
                Task.WaitAll(Enumerable.Range(0, Convert.ToInt32(field("times") ?? 1)).Select(_ => client.FlushAsync()).ToArray());
            if ((string)field("do") == "idle") Thread.Sleep(TimeSpan.FromSeconds(Convert.ToDouble(field("seconds"))));
            if ((string)field("do") == "wait") while (File.ReadAllText(Path.Combine(args[2], "markers.jsonl")) != "") Thread.Sleep(20);
            if ((string)field("do") == "configuration")
            {
                Func<object, Task<Dictionary<string, object>>> ask = about => client.ConfigurationAsync(
                    (string)field("name"), (Dictionary<string, object>)field("defaults"), (string)field("player"), (Dictionary<string, object>)about);
                var first = ask(values);
                if (field("later") != null) ask(field("later")).Wait();
                told = Gamekeeper.Json.Read(Gamekeeper.Json.Write(first.Result));
                if (field("spoils") != null) Spoil(first.Result);
            }
            lock (problems)
            {
                Console.WriteLine(Gamekeeper.Json.Write(new Dictionary<string, object> { ["told"] = told, ["problems"] = problems.ToList() }));
                problems.Clear();
            }
        }
    }

    /// <summary>Does what games do with lists and objects that they take for their own.</summary>
    static void Spoil(Dictionary<string, object> values)
    {
        ((List<object>)values["items"]).Clear();
        var deep = (Dictionary<string, object>)values["deep"];
        ((List<object>)deep["gems"]).Add("more");
        deep["coins"] = 1;
    }
}
